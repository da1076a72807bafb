import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const group = "old.example.com";

/** A structural schema of some of the members. */
const structural: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer", minimum: 0 },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
        },
        template: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
        limit: { type: "object", "x-kubernetes-validations": [{ rule: "false", message: "is never valid" }] },
      },
    },
  },
};

/** A schema without types, by which values are validated all the same. */
const loose: JsonObject = {
  properties: { spec: { properties: { replicas: { type: "integer", minimum: 0 } } } },
};

/** Kinds by the plural of their names: without a schema, with a structural one, with one that is not structural. */
const kinds = { plains: "Plain", shapes: "Shape", looses: "Loose" } as const;
type Plural = keyof typeof kinds;
const plurals = Object.keys(kinds) as Plural[];

const definitions = [
  oldDefinition("plains", "Plain"),
  oldDefinition("shapes", "Shape", { schema: { openAPIV3Schema: structural } }),
  oldDefinition("looses", "Loose", { schema: { openAPIV3Schema: loose } }),
];

/** A definition with the versions v1 and v2, as it is stored that v1.15 has established. */
function oldDefinition(plural: Plural, kind: string, schema: JsonObject = {}): JsonObject {
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  const condition = { status: "True", lastTransitionTime: "2019-01-02T03:04:05Z", message: "" };
  const version = { served: true, subresources: { status: {} }, ...schema };
  return {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: {
      name: `${plural}.${group}`,
      uid: `uid-of-${plural}`,
      generation: 1,
      creationTimestamp: "2019-01-02T03:04:05Z",
    },
    spec: {
      group,
      names,
      scope: "Namespaced",
      versions: [
        { name: "v1", storage: true, ...version },
        { name: "v2", storage: false, ...version },
      ],
      conversion: { strategy: "None" },
      preserveUnknownFields: true,
    },
    status: {
      conditions: [
        { type: "NamesAccepted", reason: "NoConflicts", ...condition },
        { type: "Established", reason: "InitialNamesAccepted", ...condition },
      ],
      acceptedNames: names,
      storedVersions: ["v1"],
    },
  };
}

/** The answer to a request, without the members that differ from one run to the next. */
interface Answer {
  readonly status: number;
  readonly warnings: string | undefined;
  readonly text: string;
}

/** Expected answers are those of v1.29 to the same requests, with the same definitions in its etcd. */
describe("Objects of definitions that were stored with preserveUnknownFields", () => {
  let server: ControlPlane;

  before(async () => {
    server = await startTestServer();
    await server.kill("SIGTERM");
    {
      await using store = await openLmdbStore({ directory: server.dataDirectory });
      for (const definition of definitions) {
        await putDefinition(store, definition);
      }
      for (const plural of plurals) {
        const value = Buffer.from(JSON.stringify(storedObject(plural)));
        await store.put(`/registry/${group}/${plural}/default/stored`, value, { expectedRevision: 0 });
      }
    }
    await server.restart();
    for (const plural of plurals) {
      await until(`${plural} are served`, async () => (await send("GET", pathOf(plural))).status === 200);
    }
  });
  after(async () => {
    await server?.stop();
  });

  async function send(method: string, path: string, body?: unknown, type = "application/json"): Promise<Answer> {
    const answer = await server.client.request({
      method,
      path,
      ...(body === undefined ? {} : { body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)) }),
      headers: { "Content-Type": type },
      signal: new AbortController().signal,
      timeoutMs: 60_000,
    });
    const warning = answer.headers["warning"];
    return {
      status: answer.status,
      warnings: warning === undefined ? undefined : [warning].flat().join(", "),
      text: answer.body
        .toString()
        .trimEnd()
        .replaceAll(/"(uid|resourceVersion|creationTimestamp|time)":"[^"]*"/g, '"$1":"*"'),
    };
  }

  const apply = (path: string, manager: string, body: unknown): Promise<Answer> =>
    send("PATCH", `${path}?fieldManager=${manager}`, body, "application/apply-patch+yaml");

  for (const plural of plurals) {
    const kind = kinds[plural];
    const head = (name: string, metadata: object = {}): JsonObject => ({
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name, ...metadata },
    });

    it(`are shown with every member and null that is stored (${plural})`, async () => {
      const { status, text } = await send("GET", pathOf(plural, "stored"));
      assert.deepEqual(
        { status, text },
        {
          status: 200,
          text: `{"apiVersion":"old.example.com/v1","kind":"${kind}","metadata":{"creationTimestamp":"*","generation":1,"name":"stored","namespace":"default","resourceVersion":"*","uid":"*"},"spec":{"a":null,"deep":{"er":[{"x":null,"y":1}]},"replicas":2},"top":"x"}`,
        },
      );
    });

    it(`keep what a patch does not name (${plural})`, async () => {
      const path = `${pathOf(plural, "stored")}?fieldValidation=Strict&fieldManager=m`;
      const merged = await send("PATCH", path, { spec: { added: { b: 1 } } }, "application/merge-patch+json");
      const spec = (members: string): string => `"spec":{"a":null,${members}"deep":{"er":[{"x":null,"y":1}]}`;
      assert.equal(merged.status, 200);
      assert.ok(merged.text.endsWith(`${spec('"added":{"b":1},')},"replicas":2},"top":"x"}`), merged.text);
      const operations = [
        { op: "remove", path: "/spec/added" },
        { op: "add", path: "/spec/nulls", value: [null, { c: null }] },
      ];
      const patched = await send("PATCH", path, operations, "application/json-patch+json");
      assert.equal(patched.status, 200);
      assert.ok(patched.text.endsWith(`${spec("")},"nulls":[null,{"c":null}],"replicas":2},"top":"x"}`), patched.text);
    });

    it(`are created without a word of unknown fields, which belong to the creator (${plural})`, async () => {
      const object = { ...head("a"), top: [1, { b: 2, a: 1 }], spec: { replicas: 3, unknown: { b: 1, a: null } } };
      assert.deepEqual(await send("POST", `${pathOf(plural)}?fieldValidation=Strict&fieldManager=m`, object), {
        status: 201,
        warnings: undefined,
        text: `{"apiVersion":"old.example.com/v1","kind":"${kind}","metadata":{"creationTimestamp":"*","generation":1,"managedFields":[{"apiVersion":"old.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{".":{},"f:replicas":{},"f:unknown":{".":{},"f:a":{},"f:b":{}}},"f:top":{}},"manager":"m","operation":"Update","time":"*"}],"name":"a","namespace":"default","resourceVersion":"*","uid":"*"},"spec":{"replicas":3,"unknown":{"a":null,"b":1}},"top":[1,{"a":1,"b":2}]}`,
      });
    });

    it(`are warned of for members that are repeated, and unknown in the metadata (${plural})`, async () => {
      const text = `{"apiVersion":"${group}/v1","kind":"${kind}","metadata":{"name":"b","odd":1},"spec":{"u":1,"u":2}}`;
      const warned = await send("POST", `${pathOf(plural)}?fieldValidation=Warn`, text);
      assert.deepEqual(
        [warned.status, warned.warnings],
        [201, '299 - "duplicate field \\"spec.u\\"", 299 - "unknown field \\"metadata.odd\\""'],
      );
    });

    it(`are applied, and conflict, by what is in them (${plural})`, async () => {
      const path = pathOf(plural, "applied");
      const spec = { replicas: 1, sel: { a: "b" }, list: [{ a: 1 }], ports: [{ name: "x", odd: 1 }], nul: null };
      const applied = await apply(path, "one", { ...head("applied", { finalizers: ["x.io/y"] }), spec });
      const [spot, finalizers, ports] =
        plural === "shapes"
          ? ["", '{"v:\\"x.io/y\\"":{}}', '{"k:{\\"name\\":\\"x\\"}":{".":{},"f:name":{},"f:odd":{}}}']
          : ['".":{},', "{}", "{}"];
      assert.deepEqual(applied, {
        status: 201,
        warnings: undefined,
        text: `{"apiVersion":"old.example.com/v1","kind":"${kind}","metadata":{"creationTimestamp":"*","finalizers":["x.io/y"],"generation":1,"managedFields":[{"apiVersion":"old.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":${finalizers}},"f:spec":{${spot}"f:list":{},"f:nul":{},"f:ports":${ports},"f:replicas":{},"f:sel":{".":{},"f:a":{}}}},"manager":"one","operation":"Apply","time":"*"}],"name":"applied","namespace":"default","resourceVersion":"*","uid":"*"},"spec":{"list":[{"a":1}],"nul":null,"ports":[{"name":"x","odd":1}],"replicas":1,"sel":{"a":"b"}}}`,
      });
      const conflict = await apply(path, "two", { ...head("applied"), spec: { sel: { a: "c" }, list: [] } });
      const message =
        'Apply failed with 2 conflicts: conflicts with \\"one\\":\\n- .spec.list\\n- .spec.sel.a","reason":"Conflict"';
      assert.equal(conflict.status, 409);
      assert.ok(conflict.text.includes(message), conflict.text);
    });

    it(`take any status, and nothing else by its path (${plural})`, async () => {
      await send("POST", pathOf(plural), { ...head("c"), spec: { u: 1 }, status: { lost: 1 } });
      const patch = { status: { more: { a: 1 } }, spec: { no: 1 } };
      const path = `${pathOf(plural, "c")}/status?fieldValidation=Strict`;
      const { status, text } = await send("PATCH", path, patch, "application/merge-patch+json");
      assert.equal(status, 200);
      assert.ok(text.endsWith('"spec":{"u":1},"status":{"more":{"a":1}}}'), text);
    });
  }

  for (const plural of ["shapes", "looses"] as const) {
    it(`are validated by the schema that there is (${plural})`, async () => {
      const object = {
        apiVersion: `${group}/v1`,
        kind: kinds[plural],
        metadata: { name: "d" },
        spec: { replicas: -1 },
      };
      assert.deepEqual(await send("POST", pathOf(plural), object), {
        status: 422,
        warnings: undefined,
        text: `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"${kinds[plural]}.old.example.com \\"d\\" is invalid: spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0","reason":"Invalid","details":{"name":"d","group":"old.example.com","kind":"${kinds[plural]}","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: -1: spec.replicas in body should be greater than or equal to 0","field":"spec.replicas"}]},"code":422}`,
      });
    });
  }

  it("have their embedded objects read, and their rules in CEL evaluated", async () => {
    const object = (spec: JsonObject): JsonObject => ({
      apiVersion: `${group}/v1`,
      kind: "Shape",
      metadata: { name: "e" },
      spec,
    });
    const refused = await send("POST", pathOf("shapes"), object({ limit: { any: 1 } }));
    assert.equal(refused.status, 422);
    assert.ok(refused.text.includes("is never valid"), refused.text);
    const template = { apiVersion: "v1", kind: "Pod", metadata: { name: "x", odd: 1 }, odd: 2 };
    const created = await send("POST", `${pathOf("shapes")}?fieldValidation=Warn`, object({ template }));
    assert.deepEqual(
      [created.status, created.warnings],
      [201, '299 - "unknown field \\"spec.template.metadata.odd\\""'],
    );
    const shown = '"spec":{"template":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"odd":2}}}';
    assert.ok(created.text.endsWith(shown), created.text);
  });

  it("are the same in every version", async () => {
    const object = { apiVersion: `${group}/v2`, kind: "Shape", metadata: { name: "f" }, spec: { u: { n: null } } };
    const { text } = await send("POST", pathOf("shapes").replace("/v1/", "/v2/"), object);
    assert.ok(text.endsWith('"spec":{"u":{"n":null}}}'), text);
    const read = await send("GET", pathOf("shapes", "f"));
    assert.ok(read.text.endsWith('"spec":{"u":{"n":null}}}'), read.text);
  });

  it("are open in documents of version 2, and in those of version 3 where there is no structural schema", async () => {
    const open = (kind: string): JsonObject => ({
      type: "object",
      "x-kubernetes-group-version-kind": [{ group, version: "v1", kind }],
    });
    const { components } = JSON.parse((await send("GET", `/openapi/v3/apis/${group}/v1`)).text);
    const { definitions: swagger } = JSON.parse((await send("GET", "/openapi/v2")).text);
    for (const kind of Object.values(kinds)) {
      const name = `com.example.old.v1.${kind}`;
      assert.deepEqual(swagger[name], open(kind));
      if (kind === "Shape") {
        assert.deepEqual(Object.keys(components.schemas[name].properties).sort(), [
          "apiVersion",
          "kind",
          "metadata",
          "spec",
        ]);
        assert.equal(components.schemas[name]["x-kubernetes-preserve-unknown-fields"], undefined);
      } else {
        assert.deepEqual(components.schemas[name], open(kind));
      }
    }
  });

  it("are pruned once the definition no longer asks for it", async () => {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/shapes.${group}`;
    const patch = { spec: { preserveUnknownFields: false } };
    assert.equal((await send("PATCH", path, patch, "application/merge-patch+json")).status, 200);
    const pruned = '"spec":{"replicas":3}}';
    await until("objects are pruned", async () => (await send("GET", pathOf("shapes", "a"))).text.endsWith(pruned));
  });
});

function pathOf(plural: Plural, name?: string): string {
  return `/apis/${group}/v1/namespaces/default/${plural}${name === undefined ? "" : `/${name}`}`;
}

function storedObject(plural: Plural): JsonObject {
  return {
    apiVersion: `${group}/v1`,
    kind: kinds[plural],
    metadata: {
      creationTimestamp: "2019-01-02T03:04:05Z",
      generation: 1,
      name: "stored",
      namespace: "default",
      uid: "1",
    },
    spec: { a: null, deep: { er: [{ x: null, y: 1 }] }, replicas: 2 },
    top: "x",
  };
}

async function putDefinition(store: Awaited<ReturnType<typeof openLmdbStore>>, definition: JsonObject): Promise<void> {
  const { name } = definition["metadata"] as { name: string };
  const key = `/registry/apiextensions.k8s.io/customresourcedefinitions/${name}`;
  await store.put(key, Buffer.from(JSON.stringify(definition)), { expectedRevision: 0 });
}
