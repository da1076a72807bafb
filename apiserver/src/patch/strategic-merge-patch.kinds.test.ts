import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { finishSteps } from "@gatehouse/envelopes/scheduling";
import { kindSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { StatusError } from "@gatehouse/envelopes/status";
import { MergeWork } from "./merge-work.js";
import { applyStrategicMergePatch, strategicMergeSteps } from "./strategic-merge-patch.js";

// Patches as kubectl sends them, on the schemas of the built-in kinds.

function schemaOf(group: string, version: string, kind: string): ObjectSchema {
  const found = kindSchema(group, version, kind);
  assert.ok(found);
  return found.schema;
}

const deployment: JsonObject = {
  kind: "Deployment",
  apiVersion: "apps/v1",
  metadata: {
    name: "web",
    finalizers: ["example.com/a", "example.com/b"],
    ownerReferences: [{ apiVersion: "v1", kind: "X", name: "x", uid: "1" }],
    annotations: { a: "1", b: "2" },
  },
  spec: {
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
    template: {
      spec: {
        containers: [
          {
            name: "app",
            image: "app:1",
            args: ["--a", "--b"],
            env: [
              { name: "A", value: "1" },
              { name: "B", value: "2" },
            ],
            ports: [{ containerPort: 80, protocol: "TCP" }],
            volumeMounts: [{ name: "data", mountPath: "/data" }],
          },
          { name: "sidecar", image: "sidecar:1" },
        ],
        tolerations: [{ key: "a", operator: "Exists" }],
        volumes: [{ name: "data", emptyDir: {} }],
        hostAliases: [{ ip: "10.0.0.1", hostnames: ["a"] }],
      },
    },
  },
};

function at(value: JsonValue | undefined, ...path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (found, step) => (found === undefined ? undefined : (found as JsonObject)[step]),
    value,
  );
}

const podPath = ["spec", "template", "spec"] as const;

function podPatch(spec: JsonObject): JsonObject {
  return { spec: { template: { spec } } };
}

const rows: readonly [name: string, patch: JsonObject, path: readonly (string | number)[], expected: JsonValue][] = [
  [
    "kubectl set image",
    podPatch({ containers: [{ name: "app", image: "app:2" }] }),
    [...podPath, "containers", 0, "image"],
    "app:2",
  ],
  [
    "a changed image leaves the other containers in place",
    podPatch({
      "$setElementOrder/containers": [{ name: "app" }, { name: "sidecar" }],
      containers: [{ name: "sidecar", image: "sidecar:2" }],
    }),
    [...podPath, "containers", 1],
    { name: "sidecar", image: "sidecar:2" },
  ],
  [
    "environment variables are merged by name, in the order asked for",
    podPatch({
      containers: [
        {
          name: "app",
          "$setElementOrder/env": [{ name: "C" }, { name: "B" }],
          env: [
            { name: "C", value: "3" },
            { name: "A", $patch: "delete" },
          ],
        },
      ],
    }),
    [...podPath, "containers", 0, "env"],
    [
      { name: "C", value: "3" },
      { name: "B", value: "2" },
    ],
  ],
  [
    "a value gives way to its source",
    podPatch({
      containers: [
        { name: "app", env: [{ name: "A", value: null, valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }] },
      ],
    }),
    [...podPath, "containers", 0, "env", 0],
    { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  ],
  [
    "arguments are replaced",
    podPatch({ containers: [{ name: "app", args: ["--c"] }] }),
    [...podPath, "containers", 0, "args"],
    ["--c"],
  ],
  [
    "tolerations are replaced",
    podPatch({ tolerations: [{ key: "b", operator: "Exists" }] }),
    [...podPath, "tolerations"],
    [{ key: "b", operator: "Exists" }],
  ],
  [
    "host aliases are merged by address",
    podPatch({ hostAliases: [{ ip: "10.0.0.1", hostnames: ["b"] }] }),
    [...podPath, "hostAliases"],
    [{ ip: "10.0.0.1", hostnames: ["b"] }],
  ],
  [
    "a volume changes its source",
    podPatch({ volumes: [{ $retainKeys: ["name", "configMap"], name: "data", configMap: { name: "c" } }] }),
    [...podPath, "volumes"],
    [{ name: "data", configMap: { name: "c" } }],
  ],
  [
    "the strategy changes its type",
    { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
    ["spec", "strategy"],
    { type: "Recreate" },
  ],
  [
    "volume mounts are merged by path",
    podPatch({ containers: [{ name: "app", volumeMounts: [{ mountPath: "/data", readOnly: true, name: "data" }] }] }),
    [...podPath, "containers", 0, "volumeMounts"],
    [{ name: "data", mountPath: "/data", readOnly: true }],
  ],
  [
    "finalizers are united and deleted one by one",
    { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"], finalizers: ["example.com/c"] } },
    ["metadata", "finalizers"],
    ["example.com/c", "example.com/b"],
  ],
  [
    "owners are merged by uid",
    { metadata: { ownerReferences: [{ uid: "2", apiVersion: "v1", kind: "Y", name: "y" }] } },
    ["metadata", "ownerReferences", 1, "uid"],
    "1",
  ],
  [
    "annotations are merged",
    { metadata: { annotations: { a: null, c: "3" } } },
    ["metadata", "annotations"],
    { b: "2", c: "3" },
  ],
];

for (const [name, patch, path, expected] of rows) {
  test(name, () => {
    const before = JSON.stringify(deployment);
    assert.deepEqual(
      at(applyStrategicMergePatch(schemaOf("apps", "v1", "Deployment"), deployment, patch), ...path),
      expected,
    );
    assert.equal(JSON.stringify(deployment), before);
  });
}

test("ports of a service are merged by number", () => {
  const service: JsonObject = {
    spec: {
      ports: [
        { name: "http", port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30080 },
        { name: "dns", port: 53, protocol: "UDP" },
      ],
    },
  };
  const patch: JsonObject = {
    spec: {
      ports: [
        { port: 80, targetPort: "web" },
        { port: 443, name: "https" },
      ],
    },
  };
  assert.deepEqual(applyStrategicMergePatch(schemaOf("", "v1", "Service"), service, patch), {
    spec: {
      ports: [
        { name: "http", port: 80, protocol: "TCP", targetPort: "web", nodePort: 30080 },
        { port: 443, name: "https" },
        { name: "dns", port: 53, protocol: "UDP" },
      ],
    },
  });
});

test("an item without its merge key is told so", () => {
  assert.throws(
    () =>
      applyStrategicMergePatch(
        schemaOf("apps", "v1", "Deployment"),
        deployment,
        podPatch({ containers: [{ image: "x" }] }),
      ),
    (error) =>
      error instanceof StatusError && error.message === "map: map[image:x] does not contain declared merge key: name",
  );
});

test("a directive for a member that the kind does not have is told so", () => {
  assert.throws(
    () => applyStrategicMergePatch(schemaOf("", "v1", "Pod"), { spec: {} }, { spec: { "$setElementOrder/pods": [] } }),
    { message: 'unable to find api field in struct PodSpec for the json field "pods"' },
  );
});

const variables = (count: number, value: string): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ name: `e${index}`, value }));

const podOf = (container: JsonObject): JsonObject => ({ spec: { containers: [{ name: "c", ...container }] } });

/** The object with the patch applied in steps, and the number of pauses between them. */
function inSteps(object: JsonObject, patch: JsonObject): { readonly patched: JsonObject; readonly pauses: number } {
  const steps = strategicMergeSteps(schemaOf("", "v1", "Pod"), object, patch);
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) {
      return { patched: step.value, pauses };
    }
  }
}

test("a patch that names an item again merges it again", () => {
  const patch = { spec: { containers: variables(100, "new").map((variable) => ({ name: "c", env: [variable] })) } };
  const { patched } = inSteps(podOf({ env: variables(100, "old") }), patch);
  assert.deepEqual(patched, podOf({ env: variables(100, "new") }));
});

for (const [what, container, repeated] of [
  ["a long list", { env: variables(20_000, "v") }, (index: number) => ({ env: [{ name: `e${index}`, value: "w" }] })],
  [
    "many members",
    { resources: { limits: Object.fromEntries(variables(20_000, "").map(({ name }) => [String(name), "1"])) } },
    (index: number) => ({ resources: { limits: { [`e${index}`]: "2" } } }),
  ],
] as const) {
  test(`a patch that names an item with ${what} a thousand times is refused with 413`, () => {
    const containers = Array.from({ length: 1000 }, (_, index) => ({ name: "c", ...repeated(index) }));
    assert.throws(() => inSteps(podOf(container as JsonObject), { spec: { containers } }), {
      message:
        "Request entity too large: The strategic merge patch names items of lists so often that more than 500000 values would be merged",
    });
  });
}

test("a patch of as many values as a body may have is merged, with pauses", () => {
  const { patched, pauses } = inSteps(
    podOf({ env: variables(30_000, "old") }),
    podOf({ env: variables(30_000, "new") }),
  );
  assert.deepEqual(patched, podOf({ env: variables(30_000, "new") }));
  assert.ok(pauses >= 20, `${pauses} pauses`);
});

test("directives that have been obeyed are not shown, nor the lists that they sort, but others are", () => {
  const container = { name: "c", image: "a:2" };
  const selector = { matchLabels: { app: "web" } };
  const template = (spec: JsonObject): JsonObject => ({ metadata: { labels: { app: "web" } }, spec });
  const original = {
    metadata: { labels: { a: "1" } },
    spec: { selector, template: template({ containers: [container] }) },
  };
  const patch = {
    $retainKeys: ["metadata", "spec"],
    metadata: { labels: { $retainKeys: ["b"], b: "2" } },
    spec: {
      selector: { matchLabels: { $patch: "replace", app: "web" } },
      template: template({
        "$setElementOrder/containers": [{ name: "c" }],
        containers: [
          {
            $retainKeys: ["name", "image", "resources"],
            ...container,
            resources: { $retainKeys: ["limits"], limits: {} },
          },
        ],
        affinity: { $retainKeys: ["nodeAffinity"] },
      }),
    },
  };
  const work = new MergeWork();
  finishSteps(strategicMergeSteps(schemaOf("apps", "v1", "Deployment"), original, patch, work));
  assert.deepEqual(work.withoutObeyed(patch), {
    metadata: { labels: { b: "2" } },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: template({ affinity: { $retainKeys: ["nodeAffinity"] } }),
    },
  });
});
