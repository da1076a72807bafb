import assert from "node:assert/strict";
import { test } from "node:test";
import type { coreV1 } from "@gatehouse/envelopes/types";
import { baseline, context, good, restricted } from "./cases.test.support.js";
import type { CheckedPod } from "./check.js";
import { violationsInDetail, violationsOf } from "./evaluate.js";
import { type Level, latestVersion, type PolicyVersion, parsePolicyVersion } from "./level.js";
import { type Policy, policyOf } from "./policy.js";

/** Returns the verdict of the level about a pod with one container `c`. */
function verdict(
  level: Level,
  spec: Partial<coreV1.PodSpec>,
  version = "latest",
  annotations: CheckedPod["annotations"] = {},
): string {
  const pod = { annotations, spec: { containers: [{ name: "c" }], ...spec } };
  const parsed = parsePolicyVersion(version) as PolicyVersion;
  return violationsInDetail(violationsOf({ level, version: parsed }, pod, { relaxedForUserNamespaces: false }));
}

for (const [name, spec, violation] of baseline) {
  test(`baseline: ${name}`, () => {
    assert.equal(verdict("baseline", spec), violation);
    assert.equal(verdict("privileged", spec), "");
  });
}

test("baseline: AppArmor", () => {
  const key = "container.apparmor.security.beta.kubernetes.io/c";
  assert.equal(
    verdict("baseline", {}, "latest", { [key]: "unconfined" }),
    `forbidden AppArmor profile (${key}="unconfined")`,
  );
  assert.equal(verdict("baseline", {}, "latest", { [key]: "localhost/x" }), "");
});

for (const [name, spec, violation] of restricted) {
  test(`restricted: ${name}`, () => {
    assert.equal(verdict("restricted", spec), violation);
  });
}

test("a version has the controls of its release", () => {
  const spec = { securityContext: { sysctls: [{ name: "net.ipv4.ip_local_reserved_ports", value: "1" }] } };
  assert.equal(verdict("baseline", spec, "v1.26"), "forbidden sysctls (net.ipv4.ip_local_reserved_ports)");
  assert.equal(verdict("baseline", spec, "v1.27"), "");
  const root = context({ ...good, runAsUser: 0 });
  assert.equal(verdict("restricted", root, "v1.22"), "");
  assert.equal(verdict("restricted", root, "v1.99"), verdict("restricted", root));
});

test("windows has nothing of what later versions demand", () => {
  const spec = { os: { name: "windows" as const }, ...context({ runAsNonRoot: true }) };
  assert.equal(verdict("restricted", spec), "");
  assert.match(verdict("restricted", spec, "v1.24"), /^allowPrivilegeEscalation != false .*seccompProfile/);
});

test("pods with users of their own may be root where the gate says so", () => {
  const level = { level: "restricted", version: latestVersion } as const;
  const pod = {
    annotations: {},
    spec: { hostUsers: false, ...context({ ...good, runAsNonRoot: false, runAsUser: 0 }) },
  };
  assert.deepEqual(violationsOf(level, pod, { relaxedForUserNamespaces: true }), []);
  assert.equal(violationsOf(level, pod, { relaxedForUserNamespaces: false }).length, 2);
});

const privileged = { level: "privileged", version: latestVersion } as const;
const defaults: Policy = { enforce: privileged, audit: privileged, warn: privileged };
const label = (name: string): string => `pod-security.kubernetes.io/${name}`;

test("what is enforced by label is warned of, unless warnings are spoken of", () => {
  const { policy } = policyOf({ [label("enforce")]: "baseline", [label("enforce-version")]: "v1.20" }, defaults);
  assert.deepEqual(policy.warn, policy.enforce);
  assert.equal(policy.audit.level, "privileged");
  const other = policyOf({ [label("enforce")]: "restricted", [label("warn")]: "baseline" }, defaults);
  assert.equal(other.policy.warn.level, "baseline");
});

test("a level that cannot be read is the strictest where it is enforced, and none elsewhere", () => {
  const { policy, errors } = policyOf(
    { [label("enforce")]: "x", [label("warn")]: "y", [label("audit-version")]: "1.2" },
    defaults,
  );
  assert.deepEqual([policy.enforce.level, policy.warn.level], ["restricted", "privileged"]);
  assert.deepEqual(
    errors.map(({ field, message }) => `${field}: ${message}`),
    [
      'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must be one of privileged, baseline, restricted',
      'metadata.labels[pod-security.kubernetes.io/audit-version]: Invalid value: "1.2": must be "latest" or "v1.x"',
      'metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: "y": must be one of privileged, baseline, restricted',
    ],
  );
});
