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

describe("the declaration of a resource in several versions", () => {
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
