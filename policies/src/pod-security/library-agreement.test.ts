import assert from "node:assert/strict";
import { test } from "node:test";
import type { coreV1 } from "@gatehouse/envelopes/types";
import fc from "fast-check";
import { baseline, container, context, good, type PodSecurityCase, restricted } from "./cases.test.support.js";
import type { Check, CheckedPod } from "./check.js";
import { allChecks, violationsInDetail } from "./evaluate.js";
import { readPodPolicies } from "./library-policies.test.support.js";

/** The policy of the library for each control, by the control's id. */
const policyNames: Readonly<Record<string, string>> = {
  appArmorProfile: "app-armor",
  capabilities_baseline: "capabilities-baseline",
  hostNamespaces: "host-namespaces",
  hostPathVolumes: "host-path-volumes",
  hostPorts: "host-ports",
  privileged: "privileged-containers",
  procMount: "proc-mount",
  seLinuxOptions: "se-linux",
  seccompProfile_baseline: "seccomp-baseline",
  sysctls: "sysctls",
  windowsHostProcess: "windows-host-process",
  allowPrivilegeEscalation: "privilege-escalation",
  capabilities_restricted: "capabilities-restricted",
  restrictedVolumes: "volume-types",
  runAsNonRoot: "run-as-non-root",
  runAsUser: "run-as-user",
  seccompProfile_restricted: "seccomp-restricted",
};

const policies = new Map(
  [...(await readPodPolicies("pod-security-baseline")), ...(await readPodPolicies("pod-security-restricted"))].map(
    (policy) => [policy.name, policy],
  ),
);

const apparmor = "container.apparmor.security.beta.kubernetes.io/c";

/** Settings that the tables have alone, or not at all; pods are made of several. */
const more: readonly PodSecurityCase[1][] = [
  { os: { name: "windows" } },
  { hostPID: true },
  { hostUsers: false },
  { securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } } },
  { securityContext: { runAsNonRoot: false } },
  { securityContext: { runAsUser: 0 } },
  { securityContext: { runAsUser: 7, seccompProfile: { type: "Localhost" } } },
  { securityContext: { seccompProfile: { type: "Unconfined" } } },
  { securityContext: { seLinuxOptions: { type: "container_t", role: "r" } } },
  { securityContext: { seLinuxOptions: { level: "s0" } } },
  { securityContext: {} },
  container({ securityContext: {} }),
  context({ ...good, runAsNonRoot: false }),
  context({ procMount: "Default", privileged: false }),
  context({ seLinuxOptions: { user: "u", role: "r", type: "container_kvm_t" } }),
  context({ capabilities: { add: ["NET_BIND_SERVICE", "SYS_TIME", "NET_RAW"], drop: ["KILL"] } }),
  context({ seccompProfile: { type: "Localhost" } }),
  context({ windowsOptions: { hostProcess: true } }),
  container({
    ports: [
      { containerPort: 80, hostPort: 0 },
      { containerPort: 81, hostPort: 81 },
    ],
  }),
  {
    volumes: [
      { name: "e", emptyDir: {} },
      { name: "i", iscsi: { targetPortal: "1.2.3.4", iqn: "i", lun: 0 } },
    ],
  },
];

const tables: readonly PodSecurityCase[] = [
  ...baseline,
  ...restricted,
  ...more.map((spec, index): PodSecurityCase => [`more ${index}`, spec, ""]),
];

const allSpecs = tables.map(([, spec]) => spec);
const plain = { relaxedForUserNamespaces: false };

/** Returns the violation of a control of v1.29, and that of its policy, in the same form. */
async function verdicts(check: Check, pod: CheckedPod): Promise<Record<"control" | "policy", string | undefined>> {
  const violation = check.versions.at(-1)?.check(pod, plain);
  const policy = policies.get(policyNames[check.id] ?? "");
  assert.ok(policy, check.id);
  return { control: violation && violationsInDetail([violation]), policy: await policy.violationBy(pod) };
}

test("the library has a policy for each control, and no other", () => {
  const wanted = allChecks.map(({ id }) => policyNames[id]).sort();
  assert.deepEqual([...policies.keys()].sort(), wanted);
});

const podOf = (spec: Partial<coreV1.PodSpec>, annotations: CheckedPod["annotations"] = {}): CheckedPod => ({
  annotations,
  spec: { containers: [{ name: "c" }], ...spec },
});

for (const [name, spec] of tables) {
  test(`each policy says of a pod what its control says: ${name}`, async () => {
    for (const check of allChecks) {
      const { control, policy } = await verdicts(check, podOf(spec));
      // A control sorts what it lists, and lists nothing twice, which expressions of v1.29 cannot.
      const sorted = (text: string | undefined): string | undefined =>
        text
          ?.split(/[",; ]+/)
          .sort()
          .join(" ");
      assert.equal(sorted(policy), sorted(control), check.id);
    }
  });
}

test("a violation that is too long to be told is told in general", async () => {
  const ports = Array.from({ length: 1_000 }, (_, index) => ({ containerPort: 80, hostPort: 10_000 + index }));
  const pod = podOf({ containers: [{ name: "c", ports }] });
  assert.equal(await policies.get("host-ports")?.violationBy(pod), "Containers must not use ports of their node");
});

for (const profile of ["unconfined", "localhost/x", "runtime/default", ""]) {
  test(`each policy says of a pod what its control says: the AppArmor profile ${JSON.stringify(profile)}`, async () => {
    for (const check of allChecks) {
      const { control, policy } = await verdicts(check, podOf({}, { [apparmor]: profile, other: "unconfined" }));
      assert.equal(policy, control, check.id);
    }
  });
}

test("policies and controls agree on pods that are made of several settings", async () => {
  const containers = fc
    .array(fc.constantFrom(...allSpecs.flatMap(({ containers: list = [] }) => list)), { minLength: 1, maxLength: 3 })
    .map((list) => list.map((one, index) => ({ ...one, name: `c${index}` })));
  const specs = fc.array(fc.constantFrom(...allSpecs), { maxLength: 4 }).map((list) => {
    const securityContext = Object.assign({}, ...list.map((spec) => spec.securityContext));
    return Object.assign({}, ...list, { securityContext }) as Partial<coreV1.PodSpec>;
  });
  const annotations = fc.constantFrom({}, { [apparmor]: "unconfined" }, { [apparmor]: "localhost/x" });
  const pods = fc.tuple(specs, annotations, containers, fc.option(containers), fc.option(containers));
  await fc.assert(
    fc.asyncProperty(pods, async ([spec, noted, own, initContainers, ephemeralContainers]) => {
      const pod = podOf(
        {
          ...spec,
          containers: own,
          ...(initContainers && { initContainers }),
          ...(ephemeralContainers && { ephemeralContainers: ephemeralContainers as coreV1.EphemeralContainer[] }),
        },
        noted,
      );
      for (const check of allChecks) {
        const { control, policy } = await verdicts(check, pod);
        assert.equal(policy === undefined, control === undefined, `${check.id}: ${control} / ${policy}`);
      }
    }),
    { numRuns: 1_000 },
  );
});
