import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { schemaRegistry } from "@gatehouse/envelopes/schema";
import { builtinApi } from "@gatehouse/server/kinds";
import { exampleApi } from "../discovery/example-api.test.support.js";
import { OpenApiSource } from "./openapi-source.js";
import type { SchemaSource } from "./schema-source.js";

suite("where the documents of OpenAPI come from", () => {
  const without = { ...exampleApi, groups: exampleApi.groups.filter(({ name }) => name !== "stable.example.com") };

  test("what did not change keeps its bytes", async () => {
    const source = new OpenApiSource();
    const first = source.documentsOf(without).openapi3;
    const before = new Map<string, Buffer>();
    for (const [id, document] of first) {
      before.set(id, (await document.json()).json);
    }
    const second = source.documentsOf(exampleApi).openapi3;
    for (const [id, bytes] of before) {
      assert.equal((await second.get(id)?.json())?.json, bytes, id);
    }
    assert.equal(second.size, first.size + 1);
    assert.equal(source.documentsOf(exampleApi).openapi3, second);
  });

  test("of the one document of version 2, only the share of what changed is written anew", async () => {
    let lookups = 0;
    const registry = schemaRegistry();
    const schemas: SchemaSource = {
      messageSchema: (name) => registry.messageSchema(name),
      hasMessage: (name) => registry.hasMessage(name),
      kinds: () => registry.kinds(),
      groupVersions: () => registry.groupVersions(),
      kindSchema: (group: string, version: string, kind: string) => {
        lookups++;
        return registry.kindSchema(group, version, kind);
      },
    };
    const source = new OpenApiSource({ schemas });
    const builtin = builtinApi();
    const custom = exampleApi.groups.filter(({ name }) => name === "stable.example.com");
    const before = await source.documentsOf(builtin).swagger.json();
    const forAll = lookups;
    lookups = 0;
    const after = await source.documentsOf({ ...builtin, groups: [...builtin.groups, ...custom] }).swagger.json();
    assert.notEqual(after.hash, before.hash);
    assert.ok(lookups > 0 && lookups * 20 < forAll, `${lookups} lookups after ${forAll}`);
    lookups = 0;
    const again = await source.documentsOf({ ...builtin }).swagger.json();
    assert.equal(again.hash, before.hash);
    assert.equal(lookups, 0);
  });

  test("paths beside the API have a document of their own, and a part in the one of version 2", async () => {
    const read = { method: "get", operationId: "readThing", description: "", tag: "things" } as const;
    const operation = { ...read, consumes: [], produces: [], parameters: [], responses: [] };
    const roots = [{ path: "/things/", parameters: [], operations: [operation] }];
    const documents = new OpenApiSource({ further: [{ id: "things", roots }] }).documentsOf(without);
    const own = JSON.parse((await documents.openapi3.get("things")?.json())?.json.toString() ?? "{}");
    assert.deepEqual(own.paths, { "/things/": { get: { tags: ["things"], operationId: "readThing", responses: {} } } });
    const swagger = JSON.parse((await documents.swagger.json()).json.toString());
    assert.deepEqual(swagger.paths["/things/"], {
      get: { schemes: ["https"], tags: ["things"], operationId: "readThing", responses: {} },
    });
    assert.ok((await documents.swagger.protobuf()).includes("readThing"));
  });

  test("a custom kind of a built-in one's name in version 2 gets another, and its own document keeps the name", async () => {
    const group = "apps.api.k8s.io";
    const resource = {
      ...{ resource: "deployments", singular: "deployment", kind: "Deployment", namespaced: true, verbs: ["get"] },
      ...{ shortNames: [], categories: [], storageVersionHash: "", subresources: [] },
      openAPIV3Schema: () => ({ type: "object", properties: { probe: { type: "boolean" } } }),
    };
    const version = { group, version: "v1", resources: [resource] };
    const builtin = builtinApi();
    const own = { name: group, versions: [version], preferredVersion: "v1" };
    const { swagger, openapi3 } = new OpenApiSource().documentsOf({ ...builtin, groups: [...builtin.groups, own] });
    const { definitions, paths } = JSON.parse((await swagger.json()).json.toString());
    const name = "io.k8s.api.apps.v1.Deployment";
    assert.ok(definitions[name].properties.spec);
    assert.deepEqual(definitions[`${name}_v2`].properties.probe, { type: "boolean" });
    const { get } = paths[`/apis/${group}/v1/namespaces/{namespace}/deployments/{name}`];
    assert.deepEqual(get.responses[200].schema, { $ref: `#/definitions/${name}_v2` });
    assert.ok((await swagger.protobuf()).includes(`${name}_v2`));
    const document = JSON.parse((await openapi3.get(`apis/${group}/v1`)?.json())?.json.toString() ?? "{}");
    assert.ok(document.components.schemas[name].properties.probe);
  });

  test("a group version of the same name with other resources is another document", async () => {
    const source = new OpenApiSource();
    const [core, ...rest] = exampleApi.groups;
    assert.ok(core?.versions[0]);
    const emptied = { ...core, versions: [{ ...core.versions[0], resources: [] }] };
    const before = await source.documentsOf(exampleApi).openapi3.get("api/v1")?.json();
    const after = await source
      .documentsOf({ ...exampleApi, groups: [emptied, ...rest] })
      .openapi3.get("api/v1")
      ?.json();
    assert.notEqual(before?.hash, after?.hash);
    assert.deepEqual(Object.keys(JSON.parse(after?.json.toString() ?? "").paths), ["/api/v1/"]);
  });

  test("a document that is wanted by many at once is made once, in both versions and encodings", async () => {
    const { swagger, openapi3 } = new OpenApiSource().documentsOf(exampleApi);
    for (const document of [swagger, openapi3.get("api/v1")]) {
      assert.ok(document);
      const [one, other] = await Promise.all([document.json(), document.json()]);
      assert.equal(one, other);
      const [bytes, same] = await Promise.all([document.protobuf(), document.protobuf()]);
      assert.equal(bytes, same);
    }
  });

  test("the largest documents leave the event loop free in between, also when many are wanted at once", async () => {
    const documents = new OpenApiSource().documentsOf(builtinApi());
    // What is loaded once is not what is looked at here.
    await documents.openapi3.get("api")?.json();
    let working = true;
    let turnsOfLoop = 0;
    const count = (): void => {
      turnsOfLoop++;
      if (working) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    const before = process.cpuUsage();
    await Promise.all([documents.swagger, ...documents.openapi3.values()].map((document) => document.json()));
    working = false;
    const usedMs = process.cpuUsage(before).user / 1000;
    assert.ok(turnsOfLoop > usedMs / 50, `${turnsOfLoop} turns in ${usedMs} ms`);
  });
});
