import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type JsonObject, type JsonValue, StatusError } from "@gatehouse/envelopes";
import type { StrategyContext } from "../../catalogue/resource-definition.js";
import { compileRootSchema } from "../schema/compile-schema.js";
import { customRules } from "./custom-rules.js";

/** The causes of a refusal, and how many slices the check has taken. */
function check(spec: JsonObject, value: JsonValue, old?: JsonValue): { causes: string[]; slices: number } {
  const source = { type: "object", properties: { spec } };
  const rules = customRules({
    group: "g",
    kind: "K",
    apiVersion: "g/v1",
    source: () => source,
    schema: () => compileRootSchema(source),
    scale: undefined,
  });
  const object = (inner: JsonValue): JsonObject => ({
    apiVersion: "g/v1",
    kind: "K",
    metadata: { name: "x" },
    spec: inner,
  });
  const work = rules(object(value), old === undefined ? undefined : object(old), [], {
    subresource: "",
  } as StrategyContext);
  let slices = 1;
  try {
    while (work.next().done !== true) {
      slices++;
    }
    return { causes: [], slices };
  } catch (error) {
    assert(error instanceof StatusError);
    return { causes: (error.status.details?.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`), slices };
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

  it("are checked in slices, however much there is to compare", () => {
    let alternatives: JsonObject = { type: "string", pattern: "^a$" };
    for (let depth = 0; depth < 10; depth++) {
      alternatives = { anyOf: [alternatives, alternatives] };
    }
    const items = { type: "string", ...alternatives };
    const { causes, slices } = check(
      { type: "array", items },
      Array.from({ length: 100 }, (_, index) => `b${index}`),
    );
    assert(causes.length > 0);
    assert(slices > 10, `${slices} slices`);
  });

  it("match no pattern on texts that would hold everybody up", () => {
    const began = process.cpuUsage();
    const { causes } = check({ type: "string", pattern: "^(([a-z]+)*)*$" }, "a".repeat(2_000_000));
    assert.equal(causes.length, 1);
    // Two million characters would take a second.
    assert(process.cpuUsage(began).user < 5e6);
  });
});
