import assert from "node:assert/strict";
import { test } from "node:test";
import { type PluginSelection, selectAdmissionPlugins } from "@gatehouse/apiserver/admission";
import { admissionPluginsWith, type ControlPlanePlugin } from "./admission-plugins.js";

function select(selection: PluginSelection, own: readonly ControlPlanePlugin[] = []) {
  const { plugins, problems } = selectAdmissionPlugins(admissionPluginsWith(own), selection);
  return { names: plugins.map(({ name }) => name), problems };
}

test("without flags the plugins that are on by default run, in v1.29's order", () => {
  const { names, problems } = select({ enable: [], disable: [] });
  assert.deepEqual(problems, []);
  assert.equal(
    names.join(","),
    "NamespaceLifecycle,LimitRanger,ServiceAccount,TaintNodesByCondition,PodSecurity,Priority," +
      "DefaultTolerationSeconds,DefaultStorageClass,StorageObjectInUseProtection,PersistentVolumeClaimResize," +
      "RuntimeClass,CertificateApproval,CertificateSigning,ClusterTrustBundleAttest,CertificateSubjectRestriction," +
      "DefaultIngressClass,MutatingAdmissionWebhook,ValidatingAdmissionPolicy,ValidatingAdmissionWebhook,ResourceQuota",
  );
});

test("flags add and take away, and their order does not count", () => {
  const { names } = select({
    enable: ["AlwaysDeny", "NodeRestriction", "NamespaceExists"],
    disable: ["ResourceQuota", "LimitRanger"],
  });
  assert.deepEqual(names.slice(0, 4), ["NamespaceLifecycle", "NamespaceExists", "ServiceAccount", "NodeRestriction"]);
  assert.equal(names.at(-1), "AlwaysDeny");
});

test("a plugin that nobody knows, or that is both on and off, is a problem", () => {
  const { problems } = select({ enable: ["Nobody", "EventRateLimit"], disable: ["EventRateLimit"] });
  assert.deepEqual(
    problems.map(({ message }) => message),
    [
      '--enable-admission-plugins: "Nobody" is not an admission plugin',
      "--enable-admission-plugins: EventRateLimit is also in --disable-admission-plugins",
    ],
  );
});

test("a plugin of one's own is known to the flags, and is asked before webhooks and quota", () => {
  const own = [{ name: "NoLatestTag", isOnByDefault: true }];
  const { names, problems } = select({ enable: ["NoLatestTag"], disable: [] }, own);
  assert.deepEqual(problems, []);
  assert.equal(names.indexOf("NoLatestTag") + 1, names.indexOf("MutatingAdmissionWebhook"));
  assert.ok(!select({ enable: [], disable: ["NoLatestTag"] }, own).names.includes("NoLatestTag"));
});

test("a plugin of one's own cannot have the name of another", () => {
  assert.throws(() => admissionPluginsWith([{ name: "ResourceQuota", isOnByDefault: true }]), {
    name: "TypeError",
    message: "there are two admission plugins ResourceQuota",
  });
});
