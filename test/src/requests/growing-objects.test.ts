import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertStatus } from "../spec/support/assert-status.js";
import { definitionsPath, sampleDefinition } from "../support/sample-definition.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const group = "sizes.example.com";
const objects = `/apis/${group}/v1/namespaces/default/growings`;

/** A definition whose objects have a list in which each item gets so many defaults of 1 KB. */
function definition(defaults: number): { metadata: object; spec: object } {
  const members = Array.from({ length: defaults }, (_, index) => [
    `d${index}`,
    { type: "string", default: "x".repeat(1000) },
  ]);
  const items = { type: "object", properties: Object.fromEntries(members) };
  const spec = { type: "object", properties: { items: { type: "array", items } } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  return sampleDefinition("growings", "Growing", group, { versions }) as { metadata: object; spec: object };
}

function withEmptyItems(name: string, count: number): { spec: object } {
  const items = Array.from({ length: count }, () => ({}));
  return { apiVersion: `${group}/v1`, kind: "Growing", metadata: { name }, spec: { items } } as { spec: object };
}

const tooLarge = { code: 413, reason: "RequestEntityTooLarge", message: "etcdserver: request is too large" };

describe("Objects that the defaults of their definition make large", () => {
  let server: ControlPlane;
  let client: ApiClient;

  before(async () => {
    server = await startTestServer();
    client = createApiClient(server.clientConfig);
    assert.equal((await client.post(definitionsPath, definition(0))).status, 201);
    await until("the kind is served", async () => (await client.get(objects)).status === 200);
    assert.equal((await client.post(objects, withEmptyItems("small", 1))).status, 201);
    assert.equal((await client.post(objects, withEmptyItems("before", 5000))).status, 201);
    await define(100);
  });

  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
  });

  async function define(defaults: number): Promise<void> {
    const patch = JSON.stringify({ spec: definition(defaults).spec });
    const path = `${definitionsPath}/growings.${group}`;
    assert.equal((await client.patch(path, "application/merge-patch+json", patch)).status, 200);
    await until("the definition counts", async () => {
      const { text } = await client.get(`${objects}/small`);
      return (text.match(/"d\d+":/g) ?? []).length === defaults;
    });
  }

  it("fifteen items of 100 KB are stored", async () => {
    const created = await client.post(objects, withEmptyItems("fits", 15));
    assert.equal(created.status, 201);
    assert.ok(created.text.length > 15 * 100 * 1000);
  });

  for (const count of [16, 5000, 30_000]) {
    it(`${count} items are refused in a create, an update, a patch and an apply`, async () => {
      const grown = withEmptyItems("grown", count);
      assertStatus(await client.post(objects, grown), tooLarge);
      assertStatus(await client.post(`${objects}?dryRun=All`, grown), tooLarge);
      const current = (await client.get(`${objects}/small`)).document;
      assertStatus(await client.put(`${objects}/small`, { ...current, spec: grown.spec }), tooLarge);
      const merge = JSON.stringify({ spec: grown.spec });
      assertStatus(await client.patch(`${objects}/small`, "application/merge-patch+json", merge), tooLarge);
      const add = JSON.stringify([{ op: "add", path: "/spec", value: grown.spec }]);
      assertStatus(await client.patch(`${objects}/small`, "application/json-patch+json", add), tooLarge);
      const applied = `${objects}/grown?fieldManager=m`;
      assertStatus(await client.patch(applied, "application/apply-patch+yaml", JSON.stringify(grown)), tooLarge);
      assert.equal((await client.get(`${objects}/grown`)).status, 404);
    });
  }

  it("one that was stored before is not read, alone, in a list or in a watch, until the definition adds less", async () => {
    const message = "Growing default/before cannot be read: the defaults of its schema make the object too large";
    const unread = {
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
    };
    for (const path of [`${objects}/before`, objects]) {
      assertStatus(await client.get(path), unread);
    }
    const watched = await client.get(`${objects}?watch=1&resourceVersion=0&timeoutSeconds=60`);
    assert.ok(watched.text.startsWith('{"type":"ERROR",'), watched.text.slice(0, 300));
    assert.ok(watched.text.includes(unread.message), watched.text.slice(0, 300));
    await define(0);
    assert.ok((await client.get(`${objects}/before`)).text.includes('"items":[{},{},{}'));
    assert.equal((await client.get(objects)).status, 200);
  });
});

describe("Small requests that would have long answers", () => {
  let server: ControlPlane;
  let client: ApiClient;
  const long = "x".repeat(1_000_000);

  before(async () => {
    server = await startTestServer();
    client = createApiClient(server.clientConfig);
  });

  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
  });

  it("aliases of YAML that stand for more text than a body may have are refused, as too many values are", async () => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: &a ${long}\n`;
    const aliases = Array.from({ length: 400 }, (_, index) => `  k${index}: *a\n`).join("");
    const headers = { "content-type": "application/yaml" };
    const answer = await client.post("/api/v1/namespaces/default/configmaps", text + aliases, headers);
    assert.equal(answer.status, 400);
    assert.ok(answer.text.includes("yaml: document contains excessive aliasing"), answer.text.slice(0, 500));
  });

  it("a definition with 20,000 mistakes at long paths is told of some of them", async () => {
    const mistakes = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, {}]));
    let schema: object = { type: "object", properties: mistakes };
    for (let level = 0; level < 100; level++) {
      schema = { type: "object", properties: { ["n".repeat(5000)]: schema } };
    }
    const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }];
    const answer = await client.post(
      definitionsPath,
      sampleDefinition("faults", "Fault", group, { versions } as never),
    );
    assert.equal(answer.status, 422);
    assert.ok(answer.text.includes("must not be empty for specified object fields"));
    assert.match(answer.text, /more errors than the first \d+, which are listed here/);
    assert.ok(answer.text.length < 8 * 1024 * 1024, `${answer.text.length} characters`);
  });

  it("strict decoding tells of unknown members below a long name without repeating it for each", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`u${index}`, index]));
    const schema = { openAPIV3Schema: { type: "object", properties: { [long]: unknown } } };
    const definition = sampleDefinition("odds", "Odd", group, {
      versions: [{ name: "v1", served: true, storage: true, schema }],
    } as never);
    const answer = await client.post(`${definitionsPath}?fieldValidation=Strict`, definition);
    assert.equal(answer.status, 400);
    assert.ok(answer.text.includes('x.u0\\""'), answer.text.slice(-300));
    assert.ok(answer.text.length < 3 * long.length, `${answer.text.length} characters`);
  });
});
