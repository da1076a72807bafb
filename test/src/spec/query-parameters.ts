import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode, assertStatus } from "./support/assert-status.js";
import {
  changeConfigMap,
  configMapsPath,
  createConfigMap,
  freshNamespace,
  namesOf,
  versionOf,
} from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const parameters = "Endpoints, Query parameters";

describe(parameters, { concurrency: 16 }, () => {
  it(`${parameters}, watch: any value but 0 and false turns a list into a watch`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    for (const value of ["1", "true", "yes", ""]) {
      using watch = await client.watch(configMapsPath(namespace, "", `watch=${value}`));
      assert.equal((await watch.next()).type, "ADDED", value);
    }
    for (const value of ["0", "false", "False"]) {
      const answer = await client.get(configMapsPath(namespace, "", `watch=${value}`));
      assert.equal(answer.document.kind, "ConfigMapList", value);
    }
  });

  it(`${parameters}, limit: at most so many; 0 and less mean all`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b", "c"]) {
      await createConfigMap(client, namespace, name);
    }
    for (const [limit, count] of [
      ["1", 1],
      ["2", 2],
      ["3", 3],
      ["1000", 3],
      ["0", 3],
      ["-1", 3],
    ] as const) {
      assert.equal((await client.get(configMapsPath(namespace, "", `limit=${limit}`))).document.items.length, count);
    }
    assertStatus(await client.get(configMapsPath(namespace, "", "limit=two")), {
      code: 400,
      reason: "BadRequest",
      message: 'strconv.ParseInt: parsing "two": invalid syntax',
    });
  });

  it(`${parameters}, continue: a token that is not the server's is refused`, async () => {
    const client = await serverWith();
    const other = Buffer.from('{"v":"other","rv":1,"start":"a\\u0000"}').toString("base64url");
    const climbing = Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../secrets/a\\u0000"}').toString("base64url");
    for (const [token, detail] of [
      ["%25", "illegal base64 data at input byte 0"],
      [other, "server does not recognize this encoded version other"],
      [climbing, "../secrets/a\u0000"],
    ] as const) {
      const answer = await client.get(`/api/v1/configmaps?limit=1&continue=${token}`);
      assertStatus(answer, {
        code: 400,
        reason: "BadRequest",
        message: `invalid continue token: continue key is not valid: ${detail}`,
      });
    }
  });

  it(`${parameters}, continue: a token of one namespace shows nothing of another`, async () => {
    const client = await serverWith();
    const [one, other] = [await freshNamespace(client), await freshNamespace(client)];
    for (const name of ["a", "b"]) {
      await createConfigMap(client, one, name);
      await createConfigMap(client, other, name);
    }
    const { metadata } = (await client.get(configMapsPath(one, "", "limit=1"))).document;
    const answer = await client.get(configMapsPath(other, "", `limit=5&continue=${metadata.continue}`));
    for (const { metadata: item } of answer.document.items ?? []) {
      assert.equal(item.namespace, other);
    }
  });

  it(`${parameters}, labelSelector: equality, sets and existence`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "red", { labels: { team: "red", size: "1" } });
    await createConfigMap(client, namespace, "blue", { labels: { team: "blue" } });
    await createConfigMap(client, namespace, "none");
    for (const [selector, names] of [
      ["team=red", ["red"]],
      ["team==red", ["red"]],
      ["team!=red", ["blue", "none"]],
      ["team in (red, blue)", ["blue", "red"]],
      ["team notin (red)", ["blue", "none"]],
      ["team", ["blue", "red"]],
      ["!team", ["none"]],
      ["team,size", ["red"]],
      ["size>0", ["red"]],
      ["size<1", []],
      ["", ["blue", "none", "red"]],
    ] as const) {
      const path = configMapsPath(namespace, "", `labelSelector=${encodeURIComponent(selector)}`);
      assert.deepEqual(namesOf((await client.get(path)).document), names, selector);
    }
  });

  it(`${parameters}, fieldSelector: names for all kinds, more for some`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    for (const [name, nodeName] of [
      ["a", "n1"],
      ["b", "n2"],
    ] as const) {
      const spec = { nodeName, containers: [{ name: "c", image: "i" }] };
      assertCode(await client.post(pods, { metadata: { name }, spec }), 201);
    }
    for (const [selector, names] of [
      ["metadata.name=a", ["a"]],
      ["metadata.name!=a", ["b"]],
      ["spec.nodeName=n2", ["b"]],
      ["status.phase=Pending", ["a", "b"]],
      ["spec.nodeName=n2,metadata.name=a", []],
      [`metadata.namespace=${namespace}`, ["a", "b"]],
    ] as const) {
      const path = `${pods}?fieldSelector=${encodeURIComponent(selector)}`;
      assert.deepEqual(namesOf((await client.get(path)).document), names, selector);
    }
    assertStatus(await client.get(configMapsPath(namespace, "", "fieldSelector=data.k%3Dv")), {
      code: 400,
      reason: "BadRequest",
      message: '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
  });

  for (const value of ["All", ""]) {
    it(`${parameters}, dryRun=${value}: nothing is stored`, async () => {
      const client = await serverWith();
      const namespace = await freshNamespace(client);
      const query = `dryRun=${value}`;
      assertCode(await client.post(configMapsPath(namespace, "", query), { metadata: { name: "a" } }), 201);
      assertCode(await client.get(configMapsPath(namespace, "a")), 404);
    });
  }

  it(`${parameters}, dryRun: other values are invalid`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const message = 'Unsupported value: []string{"Some"}: supported values: "All"';
    assertStatus(await client.post(configMapsPath(namespace, "", "dryRun=Some"), { metadata: { name: "a" } }), {
      code: 422,
      reason: "Invalid",
      message: `CreateOptions.meta.k8s.io "" is invalid: dryRun: ${message}`,
      details: {
        group: "meta.k8s.io",
        kind: "CreateOptions",
        causes: [{ reason: "FieldValueNotSupported", message, field: "dryRun" }],
      },
    });
  });

  it(`${parameters}, fieldValidation: Ignore is silent, Warn warns and is the default, Strict refuses`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const text = '{"metadata":{"name":"a"},"data":{"k":"1","k":"2"},"foo":1}';
    const post = (query: string) => client.post(configMapsPath(namespace, "", `dryRun=All${query}`), text);
    const warnings = '299 - "duplicate field \\"data.k\\"", 299 - "unknown field \\"foo\\""';
    for (const [query, warning] of [
      ["&fieldValidation=Ignore", undefined],
      ["&fieldValidation=Warn", warnings],
      ["", warnings],
      ["&fieldValidation=", warnings],
    ] as const) {
      const answer = await post(query);
      assertCode(answer, 201);
      assert.equal(answer.headers["warning"], warning, query);
      assert.deepEqual(answer.document.data, { k: "2" }, "the last one counts");
      assert.equal(answer.document["foo"], undefined);
    }
    assertStatus(await post("&fieldValidation=Strict"), {
      code: 400,
      reason: "BadRequest",
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.k", unknown field "foo"',
    });
    const message = 'Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"';
    assertStatus(await post("&fieldValidation=strict"), {
      code: 422,
      reason: "Invalid",
      message: `CreateOptions.meta.k8s.io "" is invalid: fieldValidation: ${message}`,
      details: {
        group: "meta.k8s.io",
        kind: "CreateOptions",
        causes: [{ reason: "FieldValueNotSupported", message, field: "fieldValidation" }],
      },
    });
  });

  it(`${parameters}, fieldValidation: the same for PUT and PATCH`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const body = { metadata: { name: "a" }, foo: 1 };
    const put = await client.put(configMapsPath(namespace, "a"), body);
    assert.equal(put.headers["warning"], '299 - "unknown field \\"foo\\""');
    assertCode(await client.put(configMapsPath(namespace, "a", "fieldValidation=Strict"), body), 400);
    for (const mediaType of ["application/merge-patch+json", "application/strategic-merge-patch+json"]) {
      const patched = await client.patch(configMapsPath(namespace, "a"), mediaType, { foo: 1 });
      assertCode(patched, 200);
      assert.equal(patched.headers["warning"], '299 - "unknown field \\"foo\\""', mediaType);
      const strict = await client.patch(configMapsPath(namespace, "a", "fieldValidation=Strict"), mediaType, {
        foo: 1,
      });
      assert.ok(strict.status === 400 || strict.status === 422, strict.text);
    }
  });

  it(`${parameters}, fieldManager: at most 128 printable characters`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const long = "m".repeat(129);
    const answer = await client.post(configMapsPath(namespace, "", `fieldManager=${long}`), {
      metadata: { name: "a" },
    });
    assertCode(answer, 422);
    assert.equal(
      answer.document.message,
      'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: must have at most 128 bytes',
    );
    const query = `dryRun=All&fieldManager=${"m".repeat(128)}`;
    assertCode(await client.post(configMapsPath(namespace, "", query), { metadata: { name: "a" } }), 201);
  });

  it(`${parameters}, force: only for apply patches`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const path = configMapsPath(namespace, "a", "force=true");
    const message = "Forbidden: may not be specified for non-apply patch";
    assertStatus(await client.patch(path, "application/merge-patch+json", {}), {
      code: 422,
      reason: "Invalid",
      message: `PatchOptions.meta.k8s.io "" is invalid: force: ${message}`,
      details: {
        group: "meta.k8s.io",
        kind: "PatchOptions",
        causes: [{ reason: "FieldValueForbidden", message, field: "force" }],
      },
    });
  });

  it(`${parameters}, resourceVersion: of a get, a list and a watch, a version that the answer is not older than`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const version = versionOf(await createConfigMap(client, namespace, "a"));
    assertCode(await client.get(configMapsPath(namespace, "a", `resourceVersion=${version}`)), 200);
    const list = (await client.get(configMapsPath(namespace, "", `resourceVersion=${version}`))).document;
    assert.deepEqual(namesOf(list), ["a"]);
    using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${version}`));
    const changed = await changeConfigMap(client, namespace, "a", { k: "v" });
    assert.deepEqual(await watch.next(), { type: "MODIFIED", object: changed });
  });

  it(`${parameters}, resourceVersionMatch: invalid without a resourceVersion`, async () => {
    const client = await serverWith();
    assertStatus(await client.get("/api/v1/configmaps?resourceVersionMatch=Exact"), {
      code: 422,
      reason: "Invalid",
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      details: {
        group: "meta.k8s.io",
        kind: "ListOptions",
        causes: [
          {
            reason: "FieldValueForbidden",
            message: "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
            field: "resourceVersionMatch",
          },
        ],
      },
    });
  });

  it(`${parameters}, allowWatchBookmarks: a watch that asks for them gets bookmarks`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const query = "watch=1&timeoutSeconds=1&allowWatchBookmarks=";
    using without = await client.watch(configMapsPath(namespace, "", `${query}false`));
    using with_ = await client.watch(configMapsPath(namespace, "", `${query}true`));
    assert.deepEqual(await without.rest(), []);
    assert.ok((await with_.rest()).every(({ type }) => type === "BOOKMARK"));
  });

  it(`${parameters}, sendInitialEvents: ADDED events for what there is, then a bookmark; only with the gate WatchList`, async () => {
    const client = await serverWith("--feature-gates=WatchList=true");
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a");
    const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    using watch = await client.watch(configMapsPath(namespace, "", query));
    assert.deepEqual(await watch.next(), { type: "ADDED", object: created });
    const { type, object } = await watch.next();
    assert.equal(type, "BOOKMARK");
    assert.deepEqual(object.metadata.annotations, { "k8s.io/initial-events-end": "true" });
    assertCode(await (await serverWith()).get(configMapsPath(namespace, "", query)), 422);
  });
});
