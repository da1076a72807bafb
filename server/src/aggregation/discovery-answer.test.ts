import assert from "node:assert/strict";
import { test } from "node:test";
import { isAggregatedDiscovery, readAggregatedDiscovery, readLegacyDiscovery } from "./discovery-answer.js";

const noKind = { group: "", version: "", kind: "" };

test("aggregated discovery of another server keeps what v1.29 knows, and kinds are never absent", () => {
  const body = {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2beta1",
    items: [
      {
        metadata: { name: "g.example.com" },
        versions: [
          {
            version: "v1",
            later: true,
            resources: [{ resource: "things", scope: "Cluster", subresources: [{ subresource: "status", verbs: [] }] }],
          },
          { version: "v2" },
        ],
      },
    ],
  };
  const versions = readAggregatedDiscovery(Buffer.from(JSON.stringify(body)));
  assert.deepEqual([...versions.keys()], ["g.example.com/v1", "g.example.com/v2"]);
  const resource = {
    resource: "things",
    responseKind: noKind,
    scope: "Cluster",
    singularResource: "",
    verbs: null,
    subresources: [{ subresource: "status", responseKind: noKind, verbs: [] }],
  };
  assert.deepEqual(versions.get("g.example.com/v1"), { version: "v1", resources: [resource] });
  assert.deepEqual(versions.get("g.example.com/v2"), { version: "v2" });
});

test("a list of resources of an older server becomes aggregated discovery", () => {
  const body = {
    kind: "APIResourceList",
    groupVersion: "g.example.com/v1",
    resources: [
      { name: "things/scale", namespaced: true, kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get"] },
      { name: "things", singularName: "thing", namespaced: true, kind: "Thing", verbs: ["list"], shortNames: ["t"] },
      { name: "ghosts/proxy", namespaced: false, kind: "", verbs: ["get"] },
    ],
  };
  assert.deepEqual(readLegacyDiscovery("v1", Buffer.from(JSON.stringify(body))), {
    version: "v1",
    resources: [
      {
        resource: "things",
        responseKind: { group: "", version: "", kind: "Thing" },
        scope: "Namespaced",
        singularResource: "thing",
        verbs: ["list"],
        shortNames: ["t"],
        subresources: [
          {
            subresource: "scale",
            responseKind: { group: "autoscaling", version: "v1", kind: "Scale" },
            verbs: ["get"],
          },
        ],
      },
      {
        resource: "ghosts",
        responseKind: noKind,
        scope: "Cluster",
        singularResource: "",
        verbs: [],
        subresources: [{ subresource: "proxy", responseKind: noKind, verbs: ["get"] }],
      },
    ],
  });
});

for (const [what, body] of [
  ["text", "none"],
  ["a list", "[]"],
  ["resources of another type", '{"resources": 1}'],
] as const) {
  test(`an answer that is ${what} is refused as discovery`, () => {
    assert.throws(() => readLegacyDiscovery("v1", Buffer.from(body)));
  });
}

test("the content type tells aggregated discovery of the version that is understood from everything else", () => {
  const rows: readonly (readonly [string, boolean])[] = [
    ["application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList", true],
    ["application/json; as=APIGroupDiscoveryList; v=v2beta1; g=apidiscovery.k8s.io; charset=utf-8", true],
    ["application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", false],
    ["application/json", false],
    ["", false],
  ];
  for (const [contentType, isUnderstood] of rows) {
    assert.equal(isAggregatedDiscovery(contentType), isUnderstood, contentType);
  }
});
