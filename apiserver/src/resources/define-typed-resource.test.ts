import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { fieldError, StatusError } from "@gatehouse/envelopes/status";
import { startApiServer } from "../server/start-api-server.js";
import { defineTypedResource, type TypedVersion } from "./define-typed-resource.js";

const group = "shop.example.com";
const schemaOf = (spec: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties: { spec: { type: "object", properties: spec, required: [...required] }, status: { type: "object" } },
});

/** Version v2 says the size in centimetres; v1 says it in inches, and knows no colors. */
const versions: readonly TypedVersion[] = [
  {
    name: "v2",
    schema: schemaOf(
      {
        centimetres: { type: "integer" },
        color: { type: "string" },
        count: { type: "integer", format: "int32" },
        note: { type: "string", nullable: true },
      },
      ["count"],
    ),
  },
  {
    name: "v1",
    schema: schemaOf({ inches: { type: "integer" }, color: { type: "string" } }),
    setDefaults(shirt) {
      (shirt["spec"] as JsonObject)["inches"] ??= 10;
    },
    toHub: ({ spec, ...shirt }) => ({
      ...shirt,
      spec: { centimetres: Number((spec as JsonObject)["inches"]) * 2, count: 0 },
    }),
    fromHub: ({ spec, ...shirt }) => ({ ...shirt, spec: { inches: Number((spec as JsonObject)["centimetres"]) / 2 } }),
  },
];
const shirts = defineTypedResource<{ readonly spec: { readonly centimetres?: number } }>({
  ...{ group, resource: "shirts", kind: "Shirt", namespaced: true, storedVersion: "v1", versions },
  validate: ({ spec: { centimetres = 0 } }) =>
    centimetres > 100 ? [fieldError.invalid("spec.centimetres", centimetres, "is too large")] : [],
});
const shirt = (version: string, spec: JsonObject): JsonObject => ({
  apiVersion: `${group}/${version}`,
  kind: "Shirt",
  metadata: { name: "a", namespace: "shop" },
  spec,
});
const inVersion = (version: string) => ({ group, version, resource: "shirts" });
const start = () => startApiServer({ groups: [{ name: group, versions: ["v2", "v1"], resources: shirts }] });

describe("a resource in several versions", () => {
  it("is stored in one of them, and read in each by way of the hub", async () => {
    await using server = await start();
    const created = await server.client.create(inVersion("v1"), shirt("v1", { inches: 20 }));
    assert.deepEqual(created["spec"], { inches: 20 });
    const read = await server.client.get(inVersion("v2"), "shop", "a");
    assert.deepEqual(read?.["spec"], { centimetres: 40, count: 0 });
  });

  it("gets the defaults of its version, and loses what the hub has no place for", async () => {
    await using server = await start();
    const created = await server.client.create(inVersion("v1"), shirt("v1", { color: "red" }));
    assert.deepEqual(created["spec"], { inches: 10 });
    assert.deepEqual(created["status"], {});
  });

  it("is validated as a hub, whatever version is written", async () => {
    await using server = await start();
    await assert.rejects(server.client.create(inVersion("v1"), shirt("v1", { inches: 60 })), (error) => {
      assert.ok(error instanceof StatusError);
      assert.match(error.message, /spec\.centimetres: Invalid value: 120: is too large/);
      return true;
    });
  });
});

describe("the rules in the schema of a resource in several versions", () => {
  const sized: JsonObject = {
    size: { type: "integer", minimum: 1, maximum: 9 },
    color: { type: "string", enum: ["red", "blue"] },
    tags: { type: "array", items: { type: "string", pattern: "^[a-z]+$" }, "x-kubernetes-list-type": "set" },
  };
  const v1 = schemaOf(sized, ["size", "color"]);
  (v1["properties"] as { spec: JsonObject }).spec["x-kubernetes-validations"] = [
    { rule: "self.color != 'blue' || self.size > 3", message: "blue shirts are larger" },
    { rule: "self.size >= oldSelf.size", message: "shirts do not shrink" },
  ];
  const hats = defineTypedResource<{ readonly spec: { readonly size: number } }>({
    ...{ group, resource: "hats", kind: "Hat", namespaced: true, storedVersion: "v1", hasStatus: true },
    versions: [
      { name: "v2", schema: schemaOf({ size: { type: "integer" }, color: { type: "string" } }) },
      { name: "v1", schema: v1 },
    ],
    validate: ({ spec }) => (spec.size === 7 ? [fieldError.invalid("spec.size", 7, "is asked of nobody")] : []),
  });
  const hat = (version: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
    ...{ apiVersion: `${group}/${version}`, kind: "Hat", metadata: { name: "a", namespace: "shop", ...more }, spec },
  });
  const ofHats = (version: string) => ({ group, version, resource: "hats" });
  const startHats = () => startApiServer({ groups: [{ name: group, versions: ["v2", "v1"], resources: hats }] });
  const refusals: readonly (readonly [spec: JsonObject, message: string])[] = [
    [{ size: 12, color: "red" }, "spec.size: Invalid value: 12: spec.size in body should be less than or equal to 9"],
    [
      { size: 2, color: "green" },
      '[spec.color: Unsupported value: "green": supported values: "red", "blue", <nil>: Invalid value: "null": ' +
        "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]",
    ],
    [
      { size: 2, color: "red", tags: ["A"] },
      "spec.tags[0]: Invalid value: \"A\": spec.tags[0] in body should match '^[a-z]+$'",
    ],
    [{ size: 2, color: "red", tags: ["a", "a"] }, 'spec.tags[1]: Duplicate value: "a"'],
    [{ size: 2, color: "blue" }, 'spec: Invalid value: "object": blue shirts are larger'],
    [{ size: 7, color: "red" }, "spec.size: Invalid value: 7: is asked of nobody"],
  ];

  it("refuse what they do not allow, as those of a CustomResourceDefinition", async () => {
    await using server = await startHats();
    for (const [spec, message] of refusals) {
      await assert.rejects(server.client.create(ofHats("v1"), hat("v1", spec)), (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 422);
        assert.equal(error.message, `Hat.${group} "a" is invalid: ${message}`);
        return true;
      });
    }
  });

  it("compare an update with the object that it replaces", async () => {
    await using server = await startHats();
    await server.client.create(ofHats("v1"), hat("v1", { size: 5, color: "red" }));
    await assert.rejects(
      server.client.update(ofHats("v1"), { namespace: "shop", name: "a" }, (stored) => ({
        ...stored,
        spec: { size: 4, color: "red" },
      })),
      /spec: Invalid value: "object": shirts do not shrink$/,
    );
  });

  it("hold for writes in their version alone", async () => {
    await using server = await startHats();
    const created = await server.client.create(ofHats("v2"), hat("v2", { size: 12, color: "green" }));
    assert.deepEqual(created["spec"], { size: 12, color: "green" });
  });
});

describe("the declaration of a resource in several versions", () => {
  it("must have rules that compile", () => {
    const schema = schemaOf({ size: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 'a'" }] } });
    const wrong = { group, resource: "shirts", kind: "Shirt", namespaced: true, storedVersion: "v1" };
    assert.throws(
      () => defineTypedResource({ ...wrong, versions: [{ name: "v1", schema }] }),
      new RegExp(
        "^TypeError: the schema of Shirt in shop\\.example\\.com/v1: " +
          "properties\\[spec\\]\\.properties\\[size\\]\\.x-kubernetes-validations\\[0\\]\\.rule: compilation failed: ",
      ),
    );
  });

  it("must have the version that is stored", () => {
    const wrong = { group, resource: "shirts", kind: "Shirt", namespaced: true, storedVersion: "v3", versions };
    assert.throws(() => defineTypedResource(wrong), new TypeError("Shirt has no version v3, which is to be stored"));
  });

  it("must state the type of every member", () => {
    const schema = schemaOf({ size: { description: "no type" } });
    const wrong = { group, resource: "shirts", kind: "Shirt", namespaced: true, storedVersion: "v1" };
    assert.throws(
      () => defineTypedResource({ ...wrong, versions: [{ name: "v1", schema }] }),
      new TypeError("the schema of ShirtSpecSize has no type"),
    );
  });
});
