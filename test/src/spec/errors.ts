import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { changeConfigMap, configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith, specServerWith } from "./support/shared-server.js";

const deployments = (namespace: string, query = ""): string =>
  `/apis/apps/v1/namespaces/${namespace}/deployments${query}`;

function deployment(spec: object): object {
  const containers = [{ name: "c", image: "i" }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "d" },
    spec: {
      selector: { matchLabels: { app: "d" } },
      template: { metadata: { labels: { app: "d" } }, spec: { containers } },
      ...spec,
    },
  };
}

describe("Errors", { concurrency: 16 }, () => {
  it("Errors, 400 Bad Request: unknown and duplicate fields under Strict, all of them in the message", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const text = JSON.stringify(deployment({ replicas: 1, foo: 1, bar: { x: 1 } })).replace(
      '"replicas":1',
      '"replicas":1,"replicas":2',
    );
    assertStatus(await client.post(deployments(namespace, "?fieldValidation=Strict"), text), {
      code: 400,
      reason: "BadRequest",
      message:
        'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: duplicate field "spec.replicas", unknown field "spec.foo", unknown field "spec.bar"',
    });
  });

  it("Errors, 400 Bad Request: with a wrong type besides, only that is named, at every level", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    for (const level of ["Ignore", "Warn", "Strict"]) {
      const answer = await client.post(
        deployments(namespace, `?fieldValidation=${level}`),
        deployment({ foo: 1, replicas: "three" }),
      );
      assertStatus(answer, {
        code: 400,
        reason: "BadRequest",
        message:
          'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
      });
      assert.equal(answer.headers["warning"], undefined);
    }
  });

  for (const [what, body, message] of [
    [
      "cut off",
      '{"apiVersion":"v1","kind":"ConfigMap","met',
      'couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"apiVersion":"v1","kind":"Con ...)',
    ],
    ["empty", "", "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"],
    [
      "no JSON",
      "kind: ConfigMap",
      "couldn't get version/kind; json parse error: invalid character 'k' looking for beginning of value (6b696e643a20436f6e6669674d6170)",
    ],
    [
      "a list",
      "[]",
      'couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)',
    ],
    [
      "of a kind that is a number",
      '{"kind":1}',
      'couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})',
    ],
  ] as const) {
    it(`Errors, 400 Bad Request: a body that is ${what}`, async () => {
      const client = await serverWith();
      const namespace = await freshNamespace(client);
      assertStatus(await client.post(configMapsPath(namespace), body), {
        code: 400,
        reason: "BadRequest",
        message: `the object provided is unrecognized (must be of type ConfigMap): ${message}`,
      });
    });
  }

  it("Errors, 400 Bad Request: a body of another version", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const old = { ...deployment({}), apiVersion: "apps/v1beta1" };
    assertStatus(await client.post(deployments(namespace), old), {
      code: 400,
      reason: "BadRequest",
      message: "the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)",
    });
  });

  it("Errors, 400 Bad Request: a body that names another object, or none", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    for (const [metadata, message] of [
      [{ name: "b" }, "the name of the object (b) does not match the name on the URL (a)"],
      [{}, "the name of the object (a based on URL) was undeterminable: name must be provided"],
      [
        { name: "a", namespace: "other" },
        "the namespace of the provided object does not match the namespace sent on the request",
      ],
    ] as const) {
      const answer = await client.put(configMapsPath(namespace, "a"), { metadata });
      assertStatus(answer, { code: 400, reason: "BadRequest", message });
    }
  });

  it("Errors, 400 Bad Request: a required field that is left out is named", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const { code, reason, message } = (await client.post(deployments(namespace), deployment({ selector: undefined })))
      .document;
    // v1.29 answers 422, not 400, where only validation after decoding notices that the field is missing.
    assert.equal(code, 422);
    assert.equal(reason, "Invalid");
    assert.match(String(message), /spec\.selector: Required value/);
  });

  it("Errors, 400 Bad Request: selectors that cannot be read", async () => {
    const client = await serverWith();
    for (const [query, message] of [
      ["labelSelector=a%20in%20(", "unable to parse requirement: found '', expected: ',', ')' or identifier"],
      ["labelSelector=%3D%3D", "found '==', expected: !, identifier, or 'end of string'"],
      ["fieldSelector=none%3Dx", "field label not supported: none"],
      ["fieldSelector=metadata.name", "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ] as const) {
      const answer = await client.get(`/api/v1/pods?${query}`);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.document.reason, "BadRequest");
      assert.equal(answer.document.message, message);
    }
  });

  it("Errors, 404 Not Found: an object that is not there", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const expected = {
      code: 404,
      reason: "NotFound",
      message: 'configmaps "none" not found',
      details: { name: "none", kind: "configmaps" },
    };
    const path = configMapsPath(namespace, "none");
    assertStatus(await client.get(path), expected);
    assertStatus(await client.put(path, { metadata: { name: "none" } }), expected);
    assertStatus(await client.patch(path, "application/merge-patch+json", {}), expected);
    assertStatus(await client.delete(path), expected);
  });

  it("Errors, 406 Not Acceptable: none of the media types in Accept is supported", async () => {
    const client = await serverWith();
    const path = "/api/v1/namespaces/default";
    const byRoute =
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf";
    for (const accept of ["text/html", "application/xml, image/png;q=0.9"]) {
      const expected = { code: 406, reason: "NotAcceptable", message: byRoute, details: {}, indented: true } as const;
      assertStatus(await client.get(path, { accept }), expected);
    }
    const message =
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf";
    const accept = "application/json;as=Table;g=x;v=v1";
    assertStatus(await client.get(path, { accept }), { code: 406, reason: "NotAcceptable", message, indented: true });
    const watch = await client.get("/api/v1/namespaces?watch=1&timeoutSeconds=1", { accept: "application/yaml" });
    assertCode(watch, 406);
  });

  it("Errors, 409 Conflict: a PUT with a stale resourceVersion", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const stale = await createConfigMap(client, namespace, "a");
    const current = await changeConfigMap(client, namespace, "a", { k: "1" });
    assertStatus(await client.put(configMapsPath(namespace, "a"), { ...stale, data: { k: "2" } }), {
      code: 409,
      reason: "Conflict",
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      details: { name: "a", kind: "configmaps" },
    });
    assert.deepEqual((await client.get(configMapsPath(namespace, "a"))).document, current);
  });

  it("Errors, 409 Conflict: a conditional patch with a stale resourceVersion", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const stale = await createConfigMap(client, namespace, "a");
    await changeConfigMap(client, namespace, "a", { k: "1" });
    const { resourceVersion } = stale.metadata;
    for (const mediaType of ["application/merge-patch+json", "application/strategic-merge-patch+json"]) {
      const patch = { metadata: { resourceVersion }, data: { k: "2" } };
      assertStatus(await client.patch(configMapsPath(namespace, "a"), mediaType, patch), {
        code: 409,
        reason: "Conflict",
        message:
          'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
        details: { name: "a", kind: "configmaps" },
      });
    }
  });

  it("Errors, 413: a body larger than 3 MiB", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const body = JSON.stringify({ metadata: { name: "a" }, data: { k: "x".repeat(3 * 1024 * 1024) } });
    assertStatus(await client.post(configMapsPath(namespace), body), {
      code: 413,
      reason: "RequestEntityTooLarge",
      message: "Request entity too large: limit is 3145728",
    });
  });

  it("Errors, 415: a media type that no decoder knows", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const body = { body: "<a/>", headers: { "content-type": "application/xml" } };
    assertStatus(await client.request("POST", configMapsPath(namespace), body), {
      code: 415,
      reason: "UnsupportedMediaType",
      message:
        "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    });
    await createConfigMap(client, namespace, "a");
    assertStatus(await client.patch(configMapsPath(namespace, "a"), "application/json", {}), {
      code: 415,
      reason: "UnsupportedMediaType",
      message: "415: Unsupported Media Type",
      details: {},
    });
  });

  it("Errors, 504 Gateway Timeout: a version that does not come is too large", async () => {
    const client = await serverWith();
    const { document } = await client.get("/api/v1/configmaps?limit=1");
    const future = Number(document.metadata.resourceVersion) + 1_000_000;
    const answer = await client.get(`/api/v1/configmaps?resourceVersion=${future}`);
    assert.equal(answer.status, 504);
    assert.match(answer.document.message ?? "", /^Timeout: Too large resource version: \d+, current: \d+$/);
    assert.equal(answer.document.reason, "Timeout");
  });

  it("Errors, 3: a watch from a version that has not come waits until its time is over", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a");
    const future = Number(created.metadata.resourceVersion) + 1_000_000;
    using watch = await client.watch(
      configMapsPath(namespace, "", `watch=1&timeoutSeconds=1&resourceVersion=${future}`),
    );
    await changeConfigMap(client, namespace, "a", { k: "v" });
    const events = await watch.rest();
    assert.ok(
      events.every(({ type }) => type === "ERROR"),
      JSON.stringify(events),
    );
  });

  it("Errors, 6: a missing object, a wrong credential and a forbidden request have a Status each", async () => {
    const { client, server } = await specServerWith();
    assertStatus(await client.get(configMapsPath("default", "none")), {
      code: 404,
      reason: "NotFound",
      message: 'configmaps "none" not found',
      details: { name: "none", kind: "configmaps" },
    });
    const foreign = await (await specServerWith("--anonymous-auth=false")).server.certificates.clientCertificate(
      "eve",
      [],
    );
    using stranger = createApiClient({ ...server.anonymousConfig, clientCertificate: foreign });
    assertStatus(await stranger.get("/api"), {
      code: 401,
      reason: "Unauthorized",
      message: "Unauthorized",
    });
    const { server: denying } = await specServerWith("--authorization-mode=AlwaysDeny");
    using anonymous = createApiClient(denying.anonymousConfig);
    assertStatus(await anonymous.get(configMapsPath("default")), {
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default": Everything is forbidden.',
      details: { kind: "configmaps" },
    });
  });
});
