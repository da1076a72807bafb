import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertStatus } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

const object = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const collection = `${object}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`;
const metadataOf = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1`;

describe("Media types of requests and answers", { concurrency: true }, () => {
  let client: ApiClient;
  let namespace: string;
  before(async () => {
    client = await serverWith();
    namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
  });

  const rows: readonly [name: string, accept: string, query: string, target: string, message: string][] = [
    ["a type that no object has", "text/plain", "", "a", `406: Not Acceptable\n\nAvailable representations: ${object}`],
    [
      "a type that no list has",
      "text/plain",
      "",
      "",
      `406: Not Acceptable\n\nAvailable representations: ${collection}`,
    ],
    [
      "a type that no watch has",
      "a/b",
      "watch=1",
      "",
      `406: Not Acceptable\n\nAvailable representations: ${collection}`,
    ],
    ["a half of a type", "application/*", "", "a", `406: Not Acceptable\n\nAvailable representations: ${object}`],
    [
      "a list asked of an object",
      metadataOf("PartialObjectMetadataList"),
      "",
      "a",
      "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
    ],
    [
      "an object asked of a list",
      metadataOf("PartialObjectMetadata"),
      "",
      "",
      "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
    ],
  ];
  for (const [name, accept, query, target, message] of rows) {
    it(`${name} is not acceptable, in the words of v1.29`, async () => {
      const answer = await client.get(configMapsPath(namespace, target, query), { accept });
      assert.equal(answer.status, 406);
      assert.equal(answer.document.message, message);
      assert.equal(answer.document.reason, "NotAcceptable");
    });
  }

  it("of what is not there it is told that it is not there, in whatever shape it was asked for", async () => {
    const accept = metadataOf("PartialObjectMetadataList");
    const answer = await client.get(configMapsPath(namespace, "none"), { accept });
    assert.equal(answer.status, 404);
    assert.equal(answer.document.message, 'configmaps "none" not found');
  });

  it("what is wrong with a write is told before that its answer cannot be shown, and nothing is written", async () => {
    const accept = metadataOf("PartialObjectMetadataList");
    const create = (name: string) => client.post(configMapsPath(namespace), { metadata: { name } }, { accept });
    assert.equal((await create("A_b")).status, 422);
    assert.equal((await create("a")).status, 409);
    const refused = await create("unseen");
    assert.equal(refused.status, 406);
    assert.equal(
      refused.document.message,
      "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
    );
    assert.equal((await client.get(configMapsPath(namespace, "unseen"))).status, 404);
    const collection = { accept: metadataOf("PartialObjectMetadata") };
    assert.equal((await client.request("DELETE", configMapsPath(namespace), { headers: collection })).status, 406);
    assert.equal((await client.get(configMapsPath(namespace, "a"))).status, 200);
  });

  it("the Status of a deletion comes whatever shape the object was asked for in, and in the encoding of it", async () => {
    for (const [name, accept, type] of [
      ["gone-1", metadataOf("PartialObjectMetadataList"), "application/json"],
      ["gone-2", "application/yaml;as=Table;g=meta.k8s.io;v=v1", "application/yaml"],
    ] as const) {
      await createConfigMap(client, namespace, name);
      const answer = await client.request("DELETE", configMapsPath(namespace, name), { headers: { accept } });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers["content-type"], type);
      assert.match(answer.text, /Success/);
      assert.equal((await client.get(configMapsPath(namespace, name))).status, 404);
    }
  });

  it("a watch of lists ends with its first event, without a word", async () => {
    const accept = metadataOf("PartialObjectMetadataList");
    const answer = await client.get(configMapsPath(namespace, "", "watch=1&resourceVersion=0&timeoutSeconds=300"), {
      accept,
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers["content-type"], "application/json");
    assert.equal(answer.text, "");
  });

  it("the last choice is taken, too", async () => {
    const answer = await client.get(configMapsPath(namespace, "a"), { accept: "application/yaml;q=0" });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers["content-type"], "application/yaml");
  });

  it("a create is refused for the type of its body before its options are, an update after", async () => {
    const [path, headers] = [configMapsPath(namespace), { "content-type": "text/plain" }];
    assert.equal((await client.request("POST", `${path}?dryRun=x`, { headers, body: "{}" })).status, 415);
    assert.equal((await client.request("PUT", `${path}/a?dryRun=x`, { headers, body: "{}" })).status, 422);
    const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=x";
    assert.equal((await client.request("POST", reviews, { headers, body: "{}" })).status, 415);
  });

  it("a patch of no known type is refused before anything else, with a body or without", async () => {
    const path = configMapsPath(namespace, "none");
    const message = "415: Unsupported Media Type";
    const refused = { code: 415, reason: "UnsupportedMediaType", details: {} };
    assertStatus(await client.patch(path, "application/json", {}), { ...refused, message });
    assertStatus(await client.request("PATCH", path, { headers: { "transfer-encoding": "chunked" } }), {
      ...refused,
      message: `${message}\n\nAvailable representations: `,
    });
    assertStatus(await client.request("PATCH", path, { headers: { "content-length": "0" } }), {
      code: 406,
      reason: "NotAcceptable",
      message: "406: Not Acceptable\n\nAvailable representations: ",
      details: {},
    });
  });

  it("a write of unknown length is refused for its type when its answer cannot be shown", async () => {
    const headers = { accept: "text/html", "content-type": "application/json", "transfer-encoding": "chunked" };
    const answer = await client.request("PUT", configMapsPath(namespace, "a"), { headers });
    assert.equal(answer.status, 415);
    assert.equal(answer.document.message, `415: Unsupported Media Type\n\nAvailable representations: ${object}`);
    assert.equal(answer.document.reason, "UnsupportedMediaType");
  });

  it("a list of metadata of no objects has no items", async () => {
    const none = configMapsPath(namespace, "", "labelSelector=no-such");
    const accept = metadataOf("PartialObjectMetadataList");
    const answer = await client.get(none, { accept });
    assert.match(
      answer.text,
      /^\{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io\/v1","metadata":\{"resourceVersion":"\d+"\},"items":null\}\n$/,
    );
    const yaml = await client.get(none, { accept: accept.replace("json", "yaml") });
    assert.match(yaml.text, /^items: null$/m);
  });
});
