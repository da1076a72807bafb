import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { compileRootSchema } from "@gatehouse/policies/structural-schemas";
import { defaultFeatureGates } from "../options/feature-gates.js";
import type { StrategyContext } from "../registry/strategies/strategy-context.js";
import { SchemaRules } from "./schema-rules.js";
import { schemaValidation } from "./schema-validation.js";

/** Returns the causes of a refusal, and how many steps the check has taken. */
function check(spec: JsonObject, value: JsonValue, old?: JsonValue): { causes: string[]; steps: number } {
  const source = { type: "object", properties: { spec } };
  const validate = schemaValidation(
    new SchemaRules({
      group: "g",
      kind: "K",
      apiVersion: "g/v1",
      source: () => source,
      schema: () => compileRootSchema(source),
      scale: undefined,
    }),
  );
  const object = (inner: JsonValue): JsonObject => ({
    apiVersion: "g/v1",
    kind: "K",
    metadata: { name: "x" },
    spec: inner,
  });
  const work = validate(object(value), old === undefined ? undefined : object(old), [], {
    subresource: "",
    features: defaultFeatureGates(),
  } as StrategyContext);
  let steps = 1;
  try {
    while (work.next().done !== true) {
      steps++;
    }
    return { causes: [], steps };
  } catch (error) {
    assert(error instanceof StatusError);
    return { causes: (error.status.details?.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`), steps };
  }
}

describe("Rules of custom kinds", () => {
  it("tell of the alternative that came closest", () => {
    const spec = { type: "string", anyOf: [{ maxLength: 1 }, { pattern: "^abc" }] };
    assert.deepEqual(check(spec, "xyz").causes, [
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      "spec: Too long: may not be longer than 1",
    ]);
  });

  it("let lists stay as ambiguous as they were", () => {
    const spec = { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } };
    assert.deepEqual(check(spec, ["a", "a"]).causes, ['spec[1]: Duplicate value: "a"']);
    assert.deepEqual(check(spec, ["a", "a", "b", "b"], ["c", "c"]).causes, []);
  });

  it("are checked in steps, however much there is to compare", () => {
    let alternatives: JsonObject = { type: "string", pattern: "^a$" };
    for (let depth = 0; depth < 10; depth++) {
      alternatives = { anyOf: [alternatives, alternatives] };
    }
    const items = { type: "string", ...alternatives };
    const { causes, steps } = check(
      { type: "array", items },
      Array.from({ length: 100 }, (_, index) => `b${index}`),
    );
    assert(causes.length > 0);
    assert(steps > 10, `${steps} steps`);
  });

  it("match no pattern on texts that would hold everybody up", () => {
    const began = process.cpuUsage();
    const { causes } = check({ type: "string", pattern: "^(([a-z]+)*)*$" }, "a".repeat(2_000_000));
    assert.equal(causes.length, 1);
    // Two million characters would take a second.
    assert(process.cpuUsage(began).user < 5e6);
  });
});

/** Makes an object that counts how often its members are looked up. */
function counted(members: JsonObject, looks: { count: number }): JsonObject {
  return new Proxy(members, {
    get(target, key, receiver) {
      looks.count++;
      return Reflect.get(target, key, receiver);
    },
    getOwnPropertyDescriptor(target, key) {
      looks.count++;
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

describe("Rules of a schema that has more members than its objects", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `m${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const items = { type: "object", properties, required: names };

  it("look for members that are missing until there are more errors than an answer lists", () => {
    const looks = { count: 0 };
    const list = Array.from({ length: 1000 }, () => counted({}, looks));
    const { causes } = check({ type: "array", items }, list);
    assert.deepEqual(causes.slice(0, 2), ["spec[0].m0: Required value", "spec[0].m1: Required value"]);
    assert.equal(causes.length, 1001);
    assert.ok(looks.count < 1500, `${looks.count} members were looked up`);
  });

  it("look for the keys of an item among its members", () => {
    const looks = { count: 0 };
    const list = Array.from({ length: 1000 }, (_, index) => counted({ m1: "same", m2: String(index % 999) }, looks));
    const keyed = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": names };
    const { causes } = check({ type: "array", items: { ...items, required: [] }, ...keyed }, list);
    assert.deepEqual(causes, ['spec[999]: Duplicate value: map[string]interface {}{"m1":"same", "m2":"0"}']);
    assert.ok(looks.count < 20_000, `${looks.count} members were looked up`);
  });
});
