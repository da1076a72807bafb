import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { readForeignSpec } from "./foreign-spec.js";
import { mergeForeignSpecs, type OwnSpec } from "./merge-foreign-specs.js";

const ref = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });
const kind = (group: string): JsonObject => ({ group, kind: "DeleteOptions", version: "v1" });
const item = (name: string): JsonObject => ({ get: { responses: { "200": { schema: ref(name) } } } });
const document = (paths: JsonObject, definitions: JsonObject, more: JsonObject = {}): JsonObject => ({
  swagger: "2.0",
  paths,
  definitions,
  ...more,
});

const ownDefinitions: Readonly<Record<string, JsonObject>> = {
  Meta: { description: "ours", type: "object", properties: { name: { type: "string" } } },
  Options: { type: "object", "x-kubernetes-group-version-kind": [kind("apps"), kind("policy")] },
  Other: { type: "string" },
};
const own: OwnSpec = {
  hasPath: (path) => path === "/apis/apps/v1/",
  definition: (name) => ownDefinitions[name],
};

test("paths outside of /apis/, and definitions that nothing below refers to, are left out of a foreign document", () => {
  const spec = readForeignSpec(
    document(
      { "/healthz": item("Health"), "/apis/g/v1/": item("A") },
      { Health: {}, A: { items: ref("B") }, B: {}, C: {} },
    ),
  );
  assert.deepEqual([...spec.paths.keys()], ["/apis/g/v1/"]);
  assert.deepEqual([...spec.definitions.keys()], ["A", "B"]);
});

test("shared parameters of a foreign document are put where they are referred to", () => {
  const limit = { in: "query", name: "limit", type: "integer" };
  const paths = { "/apis/g/v1/": { parameters: [{ $ref: "#/parameters/limit-1" }, { $ref: "#/parameters/absent" }] } };
  const spec = readForeignSpec(document(paths, {}, { parameters: { "limit-1": limit } }));
  assert.deepEqual(spec.paths.get("/apis/g/v1/"), { parameters: [limit, { $ref: "#/parameters/absent" }] });
});

test("definitions of one name are shared if their content is the same, and renamed with all references if not", async () => {
  const spec = readForeignSpec(
    document(
      { "/apis/apps/v1/": item("Never"), "/apis/g/v1/": item("Thing") },
      {
        Never: {},
        Thing: { properties: { meta: ref("Meta"), other: ref("Other"), options: ref("Options") } },
        Meta: { description: "theirs", type: "object", properties: { name: { type: "string" } } },
        Options: { type: "object", "x-kubernetes-group-version-kind": [kind("g"), kind("apps")] },
        Other: { type: "integer" },
      },
    ),
  );
  const { paths, definitions } = await mergeForeignSpecs(own, [spec]);
  assert.deepEqual([...paths.keys()], ["/apis/g/v1/"]);
  assert.deepEqual(Object.fromEntries(definitions), {
    Thing: { properties: { meta: ref("Meta"), other: ref("Other_v2"), options: ref("Options") } },
    Other_v2: { type: "integer" },
    Options: {
      type: "object",
      "x-kubernetes-group-version-kind": [kind("apps"), kind("g"), kind("policy")],
    },
  });
});

test("a later document shares what an earlier one has renamed, and gets the next number for what is different again", async () => {
  const specOf = (group: string, other: JsonObject): ReturnType<typeof readForeignSpec> =>
    readForeignSpec(document({ [`/apis/${group}/v1/`]: item("Other") }, { Other: other }));
  const { paths, definitions } = await mergeForeignSpecs(own, [
    specOf("a", { type: "integer" }),
    specOf("b", { type: "integer" }),
    specOf("c", { type: "boolean" }),
    specOf("d", { type: "string" }),
    specOf("a", { type: "boolean" }),
  ]);
  assert.deepEqual(Object.fromEntries(definitions), { Other_v2: { type: "integer" }, Other_v3: { type: "boolean" } });
  assert.deepEqual(Object.fromEntries(paths), {
    "/apis/a/v1/": item("Other_v2"),
    "/apis/b/v1/": item("Other_v2"),
    "/apis/c/v1/": item("Other_v3"),
    "/apis/d/v1/": item("Other"),
  });
});
