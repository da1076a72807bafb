import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeProtobuf, unwrapUnknown } from "@gatehouse/envelopes/codec";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "Resources and their fields, JSON as it is written";
const protobuf = "application/vnd.kubernetes.protobuf";
const largest = 9223372036854775807n;

describe(section, { concurrency: 8 }, () => {
  it(`${section}: an integer of 64 bits keeps its digits in JSON, protobuf and patches`, async () => {
    const client = await serverWith();
    const path = `/api/v1/namespaces/${await freshNamespace(client)}/pods`;
    const body = `{"metadata":{"name":"a"},"spec":{"terminationGracePeriodSeconds":${largest},"containers":[{"name":"c","image":"i"}]}}`;
    assertCode(await client.post(path, body), 201);
    const labels = { metadata: { labels: { a: "b" } } };
    for (const type of ["application/merge-patch+json", "application/strategic-merge-patch+json"]) {
      assertCode(await client.patch(`${path}/a`, type, labels), 200);
    }
    const answer = await client.get(path, { accept: protobuf });
    assertCode(answer, 200);
    const schema = kindSchema("", "v1", "PodList")?.schema;
    assert.ok(schema !== undefined);
    const list = decodeProtobuf(schema, unwrapUnknown(answer.bytes).raw) as { items: [{ spec: object }] };
    assert.equal((list.items[0].spec as Record<string, unknown>)["terminationGracePeriodSeconds"], largest);
    const one = await client.get(`${path}/a`);
    assert.ok(one.bytes.includes(`"terminationGracePeriodSeconds":${largest}`));
  });

  it(`${section}: a patch of labels leaves the numbers of free-form JSON alone`, async () => {
    const client = await serverWith();
    const path = `/apis/apps/v1/namespaces/${await freshNamespace(client)}/controllerrevisions`;
    const data = '{"a":9007199254740993,"b":18446744073709551615,"c":[123456789012345678901234567890]}';
    const body = `{"metadata":{"name":"a"},"revision":1,"data":${data}}`;
    assertCode(await client.post(path, body), 201);
    const patches: readonly (readonly [type: string, patch: object])[] = [
      ["application/merge-patch+json", { metadata: { labels: { a: "1" } } }],
      ["application/strategic-merge-patch+json", { metadata: { labels: { a: "2" } } }],
      ["application/json-patch+json", [{ op: "replace", path: "/metadata/labels/a", value: "3" }]],
    ];
    for (const [type, patch] of patches) {
      const answer = await client.patch(`${path}/a`, type, patch);
      assertCode(answer, 200);
      assert.ok(answer.bytes.includes(`"data":${data}`), type);
    }
  });

  it(`${section}: an integer with a point or an exponent is 400`, async () => {
    const client = await serverWith();
    const path = `/apis/apps/v1/namespaces/${await freshNamespace(client)}/deployments`;
    for (const number of ["1.0", "1e2"]) {
      const body = `{"metadata":{"name":"a"},"spec":{"replicas":${number}}}`;
      const answer = await client.post(path, body);
      assertStatus(answer, {
        code: 400,
        reason: "BadRequest",
        message: `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number ${number} into Go struct field DeploymentSpec.spec.replicas of type int32`,
      });
    }
  });

  it(`${section}: a map given twice is merged, and Strict refuses it however it is spelled`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const merged = '{"metadata":{"name":"a"},"data":{"a":"1"},"data":{"b":"2"}}';
    const answer = await client.post(configMapsPath(namespace), merged);
    assertCode(answer, 201);
    assert.deepEqual(answer.document["data"], { a: "1", b: "2" });
    const hidden = '{"metadata":{"name":"b"},"data":{"a":"1","a":"2","b" :"3"}}';
    const strict = configMapsPath(namespace, "", "fieldValidation=Strict");
    assertStatus(await client.post(strict, hidden), {
      code: 400,
      reason: "BadRequest",
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"',
    });
  });

  it(`${section}: what is nested too deep to be changed later is refused at once`, async () => {
    const client = await serverWith();
    const path = `/apis/apps/v1/namespaces/${await freshNamespace(client)}/controllerrevisions`;
    const nested = (name: string, levels: number): string =>
      `{"metadata":{"name":"${name}"},"revision":1,"data":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`;
    assertCode(await client.post(path, nested("deep", 2_000)), 400);
    assertCode(await client.post(path, nested("a", 990)), 201);
    for (const type of ["application/merge-patch+json", "application/strategic-merge-patch+json"]) {
      assertCode(await client.patch(`${path}/a`, type, { metadata: { labels: { a: type.slice(12, 17) } } }), 200);
    }
    const add = [{ op: "copy", from: "/metadata/labels", path: "/metadata/annotations" }];
    assertCode(await client.patch(`${path}/a`, "application/json-patch+json", add), 200);
    assertCode(await client.get(`${path}/a`, { accept: "application/yaml" }), 200);
    assertCode(await client.get(`${path}/a`, { accept: protobuf }), 200);
  });
});
