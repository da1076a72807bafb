import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { defineResource, type KindDefinition } from "../../registry/define-resource.js";
import { ServedResource } from "../../registry/served-resource.js";
import { metadataErrors } from "./validate-metadata.js";

/** Returns the resource of services of a kind with rules for metadata. */
function servedWith(metadata: NonNullable<KindDefinition["strategy"]>["metadata"] = {}): ServedResource {
  const names = { resource: "services", kind: "Service", namespaced: true } as const;
  return new ServedResource(defineResource("", "v1", { ...names, strategy: { metadata } }), undefined);
}

/** Returns the errors of a new object that are found before, or only after, the rules of its kind. */
function errorsOf(served: ServedResource, metadata: JsonObject, time: "first" | "last"): readonly string[] {
  const errors = metadataErrors(served, { metadata: { namespace: "n", ...metadata } }, undefined, "");
  const found = time === "first" ? errors.first : (errors.last?.() ?? []);
  return found.map(({ field, message }) => `${field}: ${message}`);
}

describe("The name of a new object", () => {
  const takesAnyName = servedWith({ validateName: () => [] });

  test("must be a DNS subdomain unless its kind has another rule", () => {
    assert.equal(errorsOf(servedWith(), { name: "A_b" }, "first").length, 1);
    assert.deepEqual(errorsOf(takesAnyName, { name: "A_b" }, "first"), []);
  });

  test("must fit into a path, whatever its kind says, once nothing else is wrong", () => {
    assert.deepEqual(errorsOf(takesAnyName, { name: "a/b" }, "first"), []);
    assert.deepEqual(errorsOf(takesAnyName, { name: "a/b" }, "last"), [
      `metadata.name: Invalid value: "a/b": may not contain '/'`,
    ]);
  });

  test("may begin with a prefix that is no name by itself", () => {
    assert.deepEqual(errorsOf(takesAnyName, { generateName: ".", name: ".x" }, "last"), []);
    assert.equal(errorsOf(takesAnyName, { generateName: "%", name: "x" }, "last").length, 1);
  });
});

describe("The metadata of a new object", () => {
  const wrong = { name: "a", finalizers: ["nobody"] };

  test("have known finalizers only, unless the kind takes any", () => {
    assert.equal(errorsOf(servedWith(), wrong, "first").length, 1);
    assert.deepEqual(errorsOf(servedWith({ knownFinalizersOnly: false }), wrong, "first"), []);
  });

  test("are checked after the rules of a kind that says so", () => {
    const checkedLast = servedWith({ onCreate: "afterValidation" });
    assert.deepEqual(errorsOf(checkedLast, wrong, "first"), []);
    assert.equal(errorsOf(checkedLast, wrong, "last").length, 1);
  });
});
