import assert from "node:assert/strict";
import { test } from "node:test";
import { selectAdmissionPlugins } from "./admission-plugins.js";

test("without flags the plugins that are on by default run, in v1.29's order", () => {
  const { names, problems } = selectAdmissionPlugins({ enable: [], disable: [] });
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
  const { names } = selectAdmissionPlugins({
    enable: ["AlwaysDeny", "NodeRestriction", "NamespaceExists"],
    disable: ["ResourceQuota", "LimitRanger"],
  });
  assert.deepEqual(names.slice(0, 4), ["NamespaceLifecycle", "NamespaceExists", "ServiceAccount", "NodeRestriction"]);
  assert.equal(names.at(-1), "AlwaysDeny");
});

test("a plugin that nobody knows, or that is both on and off, is a problem", () => {
  const { problems } = selectAdmissionPlugins({ enable: ["Nobody", "EventRateLimit"], disable: ["EventRateLimit"] });
  assert.deepEqual(
    problems.map(({ message }) => message),
    [
      '--enable-admission-plugins: "Nobody" is not an admission plugin',
      "--enable-admission-plugins: EventRateLimit is also in --disable-admission-plugins",
    ],
  );
});
