import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, type PluginAnswer, type TestWrite } from "@gatehouse/apiserver/admission/testing";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { testParts } from "../plugin.test.support.js";
import type { PluginParts } from "../plugin-parts.js";
import { podSecurity } from "./pod-security.js";

const apiVersion = "pod-security.admission.config.k8s.io/v1";

function namespace(labels: Record<string, string>): JsonObject {
  const prefixed = Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]);
  return { metadata: { name: "n", labels: Object.fromEntries(prefixed) } };
}

interface Setting {
  readonly labels?: Record<string, string>;
  readonly pods?: readonly JsonObject[];
  readonly configuration?: JsonObject;
}

function partsOf({ labels = {}, pods = [], configuration }: Setting): PluginParts {
  const objects = { namespaces: [namespace(labels)], pods };
  const content = { apiVersion, kind: "PodSecurityConfiguration", ...configuration };
  return testParts({ objects, ...(configuration === undefined ? {} : { configuration: content }) });
}

async function ask(setting: Setting, write: TestWrite): Promise<PluginAnswer> {
  return askPlugin(await podSecurity(partsOf(setting)), write);
}

/** Returns the series of the plugin's counters as they are shown after some writes. */
async function seriesAfter(setting: Setting, writes: readonly TestWrite[]): Promise<readonly string[]> {
  const parts = partsOf(setting);
  const plugin = await podSecurity(parts);
  for (const write of writes) {
    await askPlugin(plugin, write);
  }
  return (await parts.metrics.render()).split("\n").filter((line) => line.startsWith("pod_security_"));
}

const hostPod = {
  metadata: { namespace: "n", name: "p" },
  spec: { hostNetwork: true, containers: [{ name: "c", image: "i" }] },
};
const newPod = { resource: "pods", kind: "Pod", object: hostPod };

test("a pod that violates what is enforced is refused, one that violates more is warned of", async () => {
  const { refusal, warnings } = await ask({ labels: { enforce: "baseline" } }, newPod);
  assert.deepEqual(refusal, [
    403,
    'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
  ]);
  assert.deepEqual(warnings, []);
  const warned = await ask({ labels: { warn: "baseline" } }, newPod);
  assert.equal(warned.refusal, undefined);
  assert.deepEqual(warned.warnings, [
    'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
  ]);
});

test("connections to a pod are not checked, whatever the level", async () => {
  const setting = { labels: { enforce: "restricted", audit: "restricted", warn: "restricted" } };
  const atStart = await seriesAfter(setting, []);
  for (const subresource of ["exec", "attach", "portforward", "proxy"]) {
    const connection = { ...newPod, operation: "CONNECT", subresource, name: "p", object: {} } as const;
    assert.deepEqual(await ask(setting, connection), { object: {}, refusal: undefined, warnings: [] }, subresource);
    assert.deepEqual(await seriesAfter(setting, [connection]), atStart, subresource);
  }
});

test("the series of privileged pods and of exemptions are shown before the first write", async () => {
  const allowed = 'decision="allow",policy_level="privileged",policy_version="latest",mode="enforce"';
  const requests = ["create", "update"].map((operation) => `request_operation="${operation}"`);
  assert.deepEqual(await seriesAfter({}, []), [
    ...requests.map((of) => `pod_security_evaluations_total{${allowed},${of},resource="pod",subresource=""} 0`),
    ...requests.flatMap((of) =>
      ["pod", "controller"].map((kind) => `pod_security_exemptions_total{${of},resource="${kind}",subresource=""} 0`),
    ),
  ]);
});

test("decisions are counted by level, version and mode, and pods that cannot be checked as errors", async () => {
  const labels = { enforce: "baseline", "enforce-version": "v1.40", warn: "restricted" };
  const writes: readonly TestWrite[] = [
    newPod,
    { ...newPod, object: { ...hostPod, spec: { containers: [{ name: "c", image: "i" }] } } },
    { ...newPod, namespace: "nowhere" },
  ];
  const counted = (await seriesAfter({ labels }, writes)).filter((line) => !line.endsWith(" 0"));
  const ofPods = 'request_operation="create",resource="pod",subresource=""';
  const evaluated = (decision: string, level: string, version: string, mode: string): string =>
    `pod_security_evaluations_total{decision="${decision}",policy_level="${level}",policy_version="${version}",mode="${mode}",${ofPods}} 1`;
  assert.deepEqual(counted, [
    `pod_security_errors_total{fatal="true",${ofPods}} 1`,
    evaluated("deny", "baseline", "future", "enforce"),
    evaluated("allow", "baseline", "future", "enforce"),
    evaluated("deny", "restricted", "latest", "warn"),
  ]);
});

test("the template of a workload is warned of, and nothing is enforced on it", async () => {
  const object = { metadata: { name: "d" }, spec: { template: { metadata: {}, spec: hostPod.spec } } };
  const write = { group: "apps", resource: "deployments", kind: "Deployment", object };
  const { refusal, warnings } = await ask({ labels: { enforce: "baseline" } }, write);
  assert.equal(refusal, undefined);
  assert.deepEqual(warnings, ['would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)']);
});

test("an update of a pod is checked when an image changes", async () => {
  const relabelled = { ...hostPod, metadata: { ...hostPod.metadata, labels: { a: "b" } } };
  const update = { ...newPod, operation: "UPDATE", oldObject: hostPod } as const;
  assert.equal((await ask({ labels: { enforce: "baseline" } }, { ...update, object: relabelled })).refusal, undefined);
  const other = { ...hostPod, spec: { ...hostPod.spec, containers: [{ name: "c", image: "j" }] } };
  assert.equal((await ask({ labels: { enforce: "baseline" } }, { ...update, object: other })).refusal?.[0], 403);
});

test("configuration has defaults, and users, namespaces and runtime classes that are exempt", async () => {
  const defaults = { enforce: "baseline" };
  assert.equal((await ask({ configuration: { defaults } }, newPod)).refusal?.[0], 403);
  for (const exemptions of [{ usernames: ["u"] }, { namespaces: ["n"] }]) {
    assert.equal((await ask({ configuration: { defaults, exemptions } }, newPod)).refusal, undefined);
  }
  const object = { ...hostPod, spec: { ...hostPod.spec, runtimeClassName: "r" } };
  const exemptions = { runtimeClasses: ["r"] };
  assert.equal((await ask({ configuration: { defaults, exemptions } }, { ...newPod, object })).refusal, undefined);
});

test("whoever raises the level of a namespace is told of the pods that violate it, alike ones together", async () => {
  const pods = ["b", "a", "c"].map((name) => ({ ...hostPod, metadata: { namespace: "n", name } }));
  const write = {
    operation: "UPDATE",
    resource: "namespaces",
    kind: "Namespace",
    name: "n",
    object: namespace({ enforce: "baseline" }),
    oldObject: namespace({}),
  } as const;
  assert.deepEqual((await ask({ pods }, write)).warnings, [
    'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
    "a (and 2 other pods): host namespaces",
  ]);
});

test("other work runs while the pods of a namespace are checked, however small the namespace is", async () => {
  const pods = Array.from({ length: 200 }, (_, n) => ({ ...hostPod, metadata: { namespace: "n", name: `p${n}` } }));
  let yields = 0;
  const answer = await ask(
    { pods },
    {
      operation: "UPDATE",
      resource: "namespaces",
      kind: "Namespace",
      name: "n",
      object: namespace({ enforce: "baseline" }),
      oldObject: namespace({}),
      yield: async () => {
        yields++;
      },
    },
  );
  assert.equal(answer.warnings.length, 2);
  assert.ok(yields > 2, `${yields} yields`);
});

test("only the first three thousand pods are looked at, one of each owner first", async ({ mock }) => {
  mock.method(performance, "now", () => 0); // On a busy machine they take longer than a second, and fewer are looked at.
  const ownerReferences = [{ uid: "u", controller: true }];
  const pods = Array.from({ length: 3002 }, (_, index) => {
    const metadata = { namespace: "n", name: `p${String(index).padStart(4, "0")}` };
    return index < 3001
      ? { metadata: { ...metadata, ownerReferences }, spec: { containers: [] } }
      : { metadata, spec: { hostPID: true, containers: [] } };
  });
  const object = namespace({ enforce: "baseline" });
  const write = {
    operation: "UPDATE",
    resource: "namespaces",
    kind: "Namespace",
    object,
    oldObject: namespace({}),
  } as const;
  assert.deepEqual((await ask({ pods }, write)).warnings, [
    "new PodSecurity enforce level only checked against the first 3000 of 3002 existing pods",
    'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
    "p3001: host namespaces",
  ]);
});

test("labels that say no policy are refused, and may stay where they are", async () => {
  const write = { resource: "namespaces", kind: "Namespace", object: namespace({ enforce: "x" }) };
  const { refusal } = await ask({}, write);
  assert.deepEqual(refusal, [
    422,
    'Namespace "n" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must be one of privileged, baseline, restricted',
  ]);
  const kept = await ask({}, { ...write, operation: "UPDATE", oldObject: write.object });
  assert.equal(kept.refusal, undefined);
});

test("all that is wrong with a configuration is told with its path", async () => {
  const configuration = {
    defaults: { enforce: "x", "warn-version": "1.2" },
    exemptions: { namespaces: ["A", "b", "b"], usernames: [""] },
  };
  await assert.rejects(ask({ configuration }, newPod), (error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.deepEqual(
      error.problems.map(({ message }) => message.split(":")[0]),
      [
        "defaults.enforce",
        "defaults.warn-version",
        "exemptions.namespaces[0]",
        "exemptions.namespaces[2]",
        "exemptions.usernames[0]",
      ],
    );
    return true;
  });
});
