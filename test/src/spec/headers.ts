import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { assertCode } from "./support/assert-status.js";
import { changeConfigMap, configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "Endpoints, Request and response headers";

describe(section, { concurrency: 16 }, () => {
  it(`${section}, Accept: chooses the media type of the answer`, async () => {
    const client = await serverWith();
    for (const [accept, contentType] of [
      ["application/json", "application/json"],
      ["application/yaml", "application/yaml"],
      ["application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"],
      ["*/*", "application/json"],
      ["", "application/json"],
      ["text/html, application/yaml;q=0.5, application/json;q=0.4", "application/yaml"],
      ["application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1, application/json", "application/json"],
    ] as const) {
      const answer = await client.get("/api/v1/namespaces/default", { accept });
      assertCode(answer, 200);
      assert.equal(answer.headers["content-type"], contentType, accept);
    }
  });

  it(`${section}, Content-Type: JSON when there is none, needed for everything else`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const path = configMapsPath(namespace, "", "dryRun=All");
    const json = '{"metadata":{"name":"a"}}';
    const yaml = "metadata:\n  name: a\n";
    const post = (body: string, type?: string) =>
      client.request("POST", path, { body, headers: type === undefined ? {} : { "content-type": type } });
    assertCode(await post(json), 201);
    assertCode(await post(json, "application/json; charset=utf-8"), 201);
    assertCode(await post(yaml, "application/yaml"), 201);
    assertCode(await post(yaml), 400);
    assertCode(await post(json, "text/plain"), 415);
  });

  it(`${section}, Accept-Encoding: gzip compresses large get and list answers`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "large", { data: { k: "x".repeat(300_000) } });
    await createConfigMap(client, namespace, "small");
    for (const name of ["large", ""]) {
      const path = configMapsPath(namespace, name);
      const plain = await client.get(path);
      assert.equal(plain.headers["content-encoding"], undefined);
      const answer = await client.get(path, { "accept-encoding": "gzip" });
      assertCode(answer, 200);
      assert.equal(answer.headers["content-encoding"], "gzip");
      assert.equal(answer.headers["vary"], "Accept-Encoding");
      assert.ok(answer.bytes.length < plain.bytes.length / 10);
      const unpacked = JSON.parse(gunzipSync(answer.bytes).toString());
      // The version of a list is that of the last write of anything: a controller may have come between.
      assert.deepEqual(unpacked.items ?? unpacked, plain.document.items ?? plain.document);
    }
    const small = await client.get(configMapsPath(namespace, "small"), { "accept-encoding": "gzip" });
    assert.equal(small.headers["content-encoding"], undefined, "small answers are sent as they are");
    const refused = await client.get(configMapsPath(namespace, "large"), { "accept-encoding": "gzip;q=0, br" });
    assert.equal(refused.headers["content-encoding"], undefined);
  });

  it(`${section}, Accept-Encoding: nothing is compressed with the gate APIResponseCompression off`, async () => {
    const client = await serverWith("--feature-gates=APIResponseCompression=false");
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "large", { data: { k: "x".repeat(300_000) } });
    for (const name of ["large", ""]) {
      const answer = await client.get(configMapsPath(namespace, name), { "accept-encoding": "gzip" });
      assert.equal(answer.headers["content-encoding"], undefined);
    }
  });

  it(`${section}, Warning: one item for each unknown field, none where there is nothing to warn of`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const body = { metadata: { name: "a" }, foo: 1, ü: { x: 1 } };
    const answer = await client.post(configMapsPath(namespace), body);
    assertCode(answer, 201);
    const warning = Buffer.from(String(answer.headers["warning"]), "latin1").toString();
    assert.equal(warning, '299 - "unknown field \\"foo\\"", 299 - "unknown field \\"ü\\""');
    assert.equal((await client.get(configMapsPath(namespace, "a"))).headers["warning"], undefined);
  });

  it(`${section}, Warning: use of a deprecated version`, async () => {
    const client = await serverWith();
    const path = "/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas";
    const text =
      "flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use flowcontrol.apiserver.k8s.io/v1 FlowSchema";
    assert.equal((await client.get(path)).headers["warning"], `299 - "${text}"`);
    assert.equal((await client.get(path.replace("v1beta3", "v1"))).headers["warning"], undefined);
    using watch = await client.watch(`${path}?watch=1`);
    assert.equal(watch.headers["warning"], `299 - "${text}"`);
  });

  it(`${section}, Retry-After: when a version is not yet known`, async () => {
    const client = await serverWith();
    const answer = await client.get("/api/v1/namespaces/default?resourceVersion=900000000000");
    assertCode(answer, 504);
    assert.equal(answer.headers["retry-after"], "1");
  });

  it(`${section}, Transfer-Encoding: chunked: each event of a watch is sent when it happens`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"));
    assert.equal(watch.headers["transfer-encoding"], "chunked");
    assert.equal((await watch.next()).type, "ADDED");
    await changeConfigMap(client, namespace, "a", { k: "v" });
    assert.equal((await watch.next()).type, "MODIFIED");
  });

  it(`${section}: every answer names its audit ID and may not be cached`, async () => {
    const client = await serverWith();
    for (const path of ["/api/v1/namespaces/default", "/api/v1/namespaces/none", "/version", "/none"]) {
      const { headers } = await client.get(path);
      assert.match(String(headers["audit-id"]), /^[0-9a-f-]{36}$/, path);
      assert.equal(headers["cache-control"], "no-cache, private", path);
    }
  });
});
