import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

const mergePatch = "application/merge-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";
const scheme = 'in scheme "pkg/runtime/scheme.go:100"';

describe("What is wrong with a write is told in the words of v1.29", { concurrency: true }, () => {
  let client: ApiClient;
  let namespace: string;
  before(async () => {
    client = await serverWith();
    namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
  });

  const rows: readonly [
    name: string,
    method: string,
    path: string,
    type: string,
    body: string,
    code: number,
    message: RegExp,
  ][] = [
    [
      "a version that is no number",
      "PUT",
      "a",
      "application/json",
      '{"metadata":{"name":"a","resourceVersion":"x"}}',
      400,
      /^strconv\.ParseUint: parsing "x": invalid syntax$/,
    ],
    [
      "a uid where nothing is",
      "PUT",
      "none",
      "application/json",
      '{"metadata":{"name":"none","uid":"u"}}',
      409,
      /UID in precondition: u, UID in object meta: $/,
    ],
    [
      "a patch that is no JSON, of what is not there",
      "PATCH",
      "none",
      mergePatch,
      "{",
      404,
      /^configmaps "none" not found$/,
    ],
    [
      "a kind that a patch changes",
      "PATCH",
      "a",
      mergePatch,
      '{"kind":"Secret"}',
      422,
      /: converting \(v1\.Secret\) to \(core\.ConfigMap\): unknown conversion$/,
    ],
    [
      "an object of another kind",
      "PUT",
      "a",
      "application/json",
      '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"c"}]}}',
      400,
      /^Pod in version "v1" cannot be handled as a ConfigMap: converting \(v1\.Pod\) to \(core\.ConfigMap\): unknown conversion$/,
    ],
    [
      "an object of another kind that is not even one of that kind",
      "PUT",
      "a",
      "application/json",
      '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":1}]}}',
      400,
      /^Pod in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field Container\.spec\.containers\.name of type string$/,
    ],
    [
      "a version that a patch invents",
      "PATCH",
      "a",
      mergePatch,
      '{"apiVersion":"v9"}',
      422,
      /: no kind "ConfigMap" is registered for version "v9" in scheme "pkg\/runtime\/scheme\.go:100"$/,
    ],
    [
      "a version that a patch takes away",
      "PATCH",
      "a",
      mergePatch,
      '{"apiVersion":null}',
      400,
      /^the name of the object \(a based on URL\) was undeterminable: name must be provided$/,
    ],
    [
      "a type that does not fit, in a strategic patch",
      "PATCH",
      "a",
      strategicMergePatch,
      '{"data":{"k":5}}',
      422,
      /: cannot convert int64 to string$/,
    ],
    [
      "options that are no JSON",
      "DELETE",
      "a",
      "application/json",
      "{",
      400,
      /^couldn't get version\/kind; json parse error: unexpected end of JSON input$/,
    ],
    [
      "options of another kind",
      "DELETE",
      "a",
      "application/json",
      '{"kind":"ConfigMap","apiVersion":"v1"}',
      400,
      new RegExp(`^no kind "ConfigMap" is registered for version "v1" ${scheme.replaceAll(".", "\\.")}$`),
    ],
    [
      "a dry run of no kind",
      "DELETE",
      "a?dryRun=All&dryRun=x",
      "application/json",
      "",
      422,
      /dryRun: Unsupported value: \[\]string\{"All", "x"\}: supported values: "All"$/,
    ],
    [
      "a manager that cannot be printed",
      "PUT",
      "a?fieldManager=a%00",
      "application/json",
      "{}",
      422,
      /fieldManager: Invalid value: "a\\x00": invalid character U\+0000 \(at position 1\)$/,
    ],
  ];
  for (const [name, method, path, type, body, code, message] of rows) {
    it(name, async () => {
      const answer = await client.request(method, `${configMapsPath(namespace)}/${path}`, {
        headers: { "content-type": type },
        body,
      });
      assertCode(answer, code);
      assert.match(answer.document.message ?? "", message);
    });
  }

  it("options may come under any group version", async () => {
    await createConfigMap(client, namespace, "b");
    assertCode(
      await client.delete(configMapsPath(namespace, "b"), { kind: "DeleteOptions", apiVersion: "apps/v1" }),
      200,
    );
  });

  it("a kind that a strategic patch changes is no matter", async () => {
    assertCode(await client.patch(configMapsPath(namespace, "a"), strategicMergePatch, { kind: "Other" }), 200);
  });

  it("a patch may take the kind away", async () => {
    assertCode(await client.patch(configMapsPath(namespace, "a"), mergePatch, { kind: null }), 200);
  });

  it("warnings of a patch come with what is given twice first, then in the order of names", async () => {
    const patch = '{"z":1,"b":1,"b":2}';
    for (const type of [mergePatch, strategicMergePatch]) {
      const answer = await client.patch(configMapsPath(namespace, "a", "dryRun=All"), type, patch);
      assert.equal(
        answer.headers["warning"],
        '299 - "duplicate field \\"b\\"", 299 - "unknown field \\"b\\"", 299 - "unknown field \\"z\\""',
      );
    }
  });

  it("a key that comes twice in YAML is told of first, by its line", async () => {
    const body = "metadata:\n  name: twice\n  nope: 1\ndata:\n  a: '1'\n  a: '2'\n  a: '3'\n";
    const post = (mode: string) =>
      client.request("POST", configMapsPath(namespace, "", `dryRun=All&fieldValidation=${mode}`), {
        headers: { "content-type": "application/yaml" },
        body,
      });
    assert.equal(
      (await post("Warn")).headers["warning"],
      '299 - "line 6: key \\"a\\" already set in map", 299 - "line 7: key \\"a\\" already set in map", 299 - "unknown field \\"metadata.nope\\""',
    );
    assert.equal(
      (await post("Strict")).document.message,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 6: key "a" already set in map\n  line 7: key "a" already set in map, unknown field "metadata.nope"',
    );
  });

  it("an object that is being deleted has its members in the order of its kind", async () => {
    const finalizers = ["example.com/hold"];
    await client.post(configMapsPath(namespace), { metadata: { name: "held", labels: { a: "b" }, finalizers } });
    const { metadata } = (await client.delete(configMapsPath(namespace, "held"))).document;
    assert.deepEqual(Object.keys(metadata).slice(-5), [
      "deletionTimestamp",
      "deletionGracePeriodSeconds",
      "labels",
      "finalizers",
      "managedFields",
    ]);
  });

  it("a namespace is not inside of a namespace", async () => {
    assertCode(await client.get(`/api/v1/namespaces/${namespace}/namespaces`), 404);
    assertCode(await client.get(`/api/v1/namespaces/${namespace}`), 200);
  });

  it("a whole number with a decimal point is none in a patch either, but in a strategic one", async () => {
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    assertCode(await client.post(leases, { metadata: { name: "l" }, spec: { leaseDurationSeconds: 5 } }), 201);
    const operation = '[{"op":"replace","path":"/spec/leaseDurationSeconds","value":1.0}]';
    const merged = '{"spec":{"leaseDurationSeconds":1.0}}';
    for (const [type, body] of [
      [mergePatch, merged],
      ["application/json-patch+json", operation],
    ] as const) {
      const answer = await client.patch(`${leases}/l`, type, body);
      assert.equal(answer.status, 422);
      assert.match(
        answer.document.message ?? "",
        /^ "" is invalid: patch: Invalid value: ".*\\"leaseDurationSeconds\\":1\.0\}.*": json: cannot unmarshal number 1\.0 into Go struct field LeaseSpec\.spec\.leaseDurationSeconds of type int32$/,
      );
    }
    assertCode(await client.patch(`${leases}/l`, strategicMergePatch, merged), 200);
  });
});
