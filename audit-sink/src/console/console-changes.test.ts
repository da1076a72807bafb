import assert from "node:assert/strict";
import { test } from "node:test";
import { pageModule } from "./page-modules.test.support.js";

const { resourceOf, objectOf } = await pageModule<typeof import("../../console/src/events/target.js")>("events/target");
const { webhookPatches } =
  await pageModule<typeof import("../../console/src/detail/patch-diff.js")>("detail/patch-diff");
const { diffObjects } =
  await pageModule<typeof import("../../console/src/detail/object-diff.js")>("detail/object-diff");
const { findPrevious } =
  await pageModule<typeof import("../../console/src/detail/previous-object.js")>("detail/previous-object");
const { authorOf } =
  await pageModule<typeof import("../../console/src/detail/change-authors.js")>("detail/change-authors");

const targets: readonly [object, string, string][] = [
  [{ requestURI: "/api/v1/namespaces/shop/pods?limit=5" }, "pods", "shop/"],
  [{ requestURI: "/apis/apps/v1/namespaces/shop/deployments/web/scale" }, "deployments.apps/scale", "shop/web"],
  [{ requestURI: "/apis/apps/v1/watch/deployments" }, "deployments.apps", ""],
  [{ requestURI: "/api/v1/namespaces/shop" }, "namespaces", "shop"],
  [{ requestURI: "/version?timeout=1s" }, "/version", ""],
  [{ requestURI: 7, objectRef: { resource: 3 } }, "3", ""],
  [{}, "", ""],
  [{ objectRef: { resource: "namespaces", namespace: "shop", name: "shop" } }, "namespaces", "shop"],
];
for (const [event, resource, object] of targets) {
  test(`the target of an event is found with and without objectRef: ${JSON.stringify(event)}`, () => {
    assert.deepEqual([resourceOf(event), objectOf(event)], [resource, object]);
  });
}

const diffs: readonly [string, unknown, readonly object[], unknown][] = [
  ["removes what was sent", { a: { b: 1 } }, [{ op: "remove", path: "/a/b" }], [["/a/b", ["1"], []]]],
  [
    "inserts into a list, and what follows is found one further on",
    { list: ["x", "y"] },
    [
      { op: "add", path: "/list/0", value: "w" },
      { op: "replace", path: "/list/2", value: "z" },
      { op: "add", path: "/list/-", value: "end" },
    ],
    [
      ["/list/0", [], ['"w"']],
      ["/list/2", ['"y"'], ['"z"']],
      ["/list/-", [], ['"end"']],
    ],
  ],
  [
    "moves and copies",
    { "a/b": { c: 1 } },
    [
      { op: "move", from: "/a~1b/c", path: "/d" },
      { op: "copy", from: "/d", path: "/e" },
      { op: "test", path: "/e", value: 1 },
    ],
    [
      ["/d", [], ["1"]],
      ["/e", [], ["1"]],
      ["/e", [], []],
    ],
  ],
  [
    "says that it does not know what was there before",
    {},
    [{ op: "replace", path: "/spec/replicas", value: 2 }],
    [["/spec/replicas", null, ["2"]]],
  ],
  [
    "takes __proto__ for a member like any other",
    {},
    [
      { op: "add", path: "/__proto__", value: { polluted: true } },
      { op: "add", path: "/polluted", value: 1 },
    ],
    [
      ["/__proto__", [], ["{", '  "polluted": true', "}"]],
      ["/polluted", [], ["1"]],
    ],
  ],
];
for (const [name, sent, patch, changes] of diffs) {
  test(`a patch of a webhook ${name}`, () => {
    const annotations = {
      "patch.webhook.admission.k8s.io/round_0_index_0": JSON.stringify({ configuration: "c", webhook: "w", patch }),
      "patch.webhook.admission.k8s.io/round_0_index_1": "no JSON",
    };
    const found = webhookPatches(annotations, sent).flatMap((each) =>
      each.changes.map(({ path, removed, added }) => [path, removed ?? null, added]),
    );
    assert.deepEqual(found, changes);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
}

const fieldDiffs: readonly [string, unknown, unknown, unknown][] = [
  [
    "by field, and leaves out what changes with every write",
    { metadata: { resourceVersion: "1", generation: 1, managedFields: [] }, spec: { replicas: 1, paused: true } },
    { metadata: { resourceVersion: "2", generation: 2, managedFields: [{}] }, spec: { replicas: 2 } },
    [
      ["spec.replicas", 1, 2],
      ["spec.paused", true, undefined],
    ],
  ],
  [
    "list items by their names, wherever they stand",
    {
      c: [
        { name: "a", image: "a:1" },
        { name: "b", image: "b:1" },
      ],
    },
    { c: [{ name: "b", image: "b:2" }, { name: "a", image: "a:1" }, { name: "c" }] },
    [
      ["c[b].image", "b:1", "b:2"],
      ["c[c]", undefined, { name: "c" }],
    ],
  ],
  ["lists without names as a whole", { args: ["a"] }, { args: ["a", "b"] }, [["args", ["a"], ["a", "b"]]]],
  [
    "members that are no words in quotes",
    { labels: { "app.kubernetes.io/name": "x" } },
    { labels: { "app.kubernetes.io/name": "y" } },
    [['labels["app.kubernetes.io/name"]', "x", "y"]],
  ],
];
for (const [name, before, after, expected] of fieldDiffs) {
  test(`two objects are compared ${name}`, () => {
    const found = diffObjects(before, after).map((change) => [change.field, change.before, change.after]);
    assert.deepEqual(found, expected);
  });
}

test("the object before is the last that an event has, with a note of writes since then that have none", async () => {
  const item = (position: number, subresource: string, responseObject: object, uri = "/apis") => ({
    position,
    sender: "s",
    event: {
      verb: "patch",
      requestURI: uri,
      objectRef: { apiGroup: "apps", resource: "deployments", subresource, namespace: "shop", name: "web" },
      responseStatus: { code: 200 },
      responseObject,
      stageTimestamp: `2026-01-01T00:00:0${position}.000000Z`,
    },
  });
  const stored = [
    item(6, "", { kind: "Deployment", spec: 6 }),
    item(5, "", { kind: "Deployment", spec: 5 }, "/apis?dryRun=All"),
    item(4, "scale", { kind: "Scale" }),
    item(3, "", { kind: "Deployment", spec: 3 }),
  ];
  const asked: string[] = [];
  const api = {
    events: async (query: URLSearchParams) => {
      asked.push(...query.getAll("resource"));
      return { items: stored };
    },
  };
  const found = await findPrevious(api, item(6, "", { kind: "Deployment" }), new AbortController().signal);
  assert.deepEqual(asked, ["deployments.apps", "deployments.apps/*"]);
  assert.deepEqual(found, {
    object: { kind: "Deployment", spec: 3 },
    time: new Date("2026-01-01T00:00:03Z"),
    hasUnknownWrites: true,
  });
});

test("deeply nested objects are compared without running out of stack", () => {
  const nested = (leaf: number): unknown => JSON.parse(`${'{"a":'.repeat(3000)}${leaf}${"}".repeat(3000)}`);
  assert.equal(diffObjects(nested(1), nested(2)).length, 1);
});

test("a change is told with the hook that made it, or else with the field manager that owns the field", () => {
  const event = {
    userAgent: "kubectl/v1.29.0 (linux/amd64)",
    requestURI: "/apis/apps/v1/namespaces/shop/deployments/web",
    annotations: {
      "patch.webhook.admission.k8s.io/round_0_index_0": JSON.stringify({
        configuration: "c",
        webhook: "limits.example.com",
        patch: [{ op: "add", path: "/metadata/labels", value: { team: "shop" } }],
      }),
    },
    responseObject: {
      metadata: {
        managedFields: [
          { manager: "old", time: "2026-01-01T00:00:00Z", fieldsV1: { "f:spec": { "f:replicas": {} } } },
          { manager: "autoscaler", time: "2026-01-02T00:00:00Z", fieldsV1: { "f:spec": { "f:replicas": {} } } },
          {
            manager: "helm",
            time: "2026-01-01T00:00:00Z",
            fieldsV1: { "f:spec": { "f:c": { 'k:{"name":"web"}': { "f:image": {} } }, "f:map": {} } },
          },
        ],
      },
      spec: { replicas: 2, c: [{ name: "side" }, { name: "web", image: "web" }], map: { a: 1 } },
    },
  };
  const patches = webhookPatches(event.annotations, undefined);
  const author = (...path: readonly (string | number)[]): string => authorOf(path, event, patches);
  assert.equal(author("metadata", "labels", "team"), "limits.example.com");
  assert.equal(author("spec", "replicas"), "autoscaler");
  assert.equal(author("spec", "c", 1, "image"), "helm");
  assert.equal(author("spec", "map", "a"), "helm");
  assert.equal(author("spec", "c", 0), "kubectl");
});
