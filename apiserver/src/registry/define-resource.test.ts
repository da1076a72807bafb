import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { defaultFeatureGates } from "../options/feature-gates.js";
import { FieldErrors } from "../validation/field-errors.js";
import { defineResource, type KindDefinition, scaleSubresource, statusSubresource } from "./define-resource.js";
import { writeStrategyOf } from "./strategies/resource-strategy.js";
import type { StrategyContext } from "./strategies/strategy-context.js";

const context: StrategyContext = {
  user: { username: "ann", groups: [] },
  nowMs: 0,
  subresource: "",
  features: defaultFeatureGates(),
  allowPrivileged: false,
  warn: () => undefined,
};

const names = { resource: "widgets", kind: "Widget", namespaced: true } as const;
const define = (more: Partial<KindDefinition> = {}) => defineResource("example.com", "v1", { ...names, ...more });

describe("A definition", () => {
  test("that states its names only is complete, and stored under them", () => {
    const definition = define();
    assert.deepEqual(
      [definition.singular, definition.subresources, definition.hasStatus, definition.servedByDefault],
      ["widget", [], false, true],
    );
    assert.deepEqual(definition.storage, { group: "example.com", version: "v1", prefix: "widgets" });
  });

  test("and the strategy of each verb are frozen", () => {
    const definition = define({ subresources: [statusSubresource, scaleSubresource] });
    const { strategy } = definition;
    const parts = [strategy.metadata, strategy.create, strategy.update, strategy.status, strategy.deletion];
    const scale = writeStrategyOf(strategy, "scale");
    for (const part of [definition, strategy, ...parts, scale]) {
      assert.ok(Object.isFrozen(part));
    }
  });
});

describe("The strategy of a kind that states no rules", () => {
  const { strategy } = define({ subresources: [statusSubresource, scaleSubresource] });

  test("drops the status of a new object, and restores it in an update", () => {
    const fresh: JsonObject = { spec: { a: 1 }, status: { b: 1 } };
    strategy.create.resetStatus?.(fresh, context);
    assert.deepEqual(fresh, { spec: { a: 1 } });
    const changed: JsonObject = { spec: { a: 2 }, status: { b: 2 } };
    strategy.update.resetStatus?.(changed, { spec: { a: 1 }, status: { b: 1 } });
    assert.deepEqual(changed, { spec: { a: 2 }, status: { b: 1 } });
  });

  test("leaves the status alone where there is no /status", () => {
    const { create, update } = define().strategy;
    assert.deepEqual([create.resetStatus, update.resetStatus], [undefined, undefined]);
  });

  test("resets status in writes of the object, spec in writes of /status, and nothing in other subresources", () => {
    const resetIn = (subresource: string) => writeStrategyOf(strategy, subresource).resetFields;
    assert.deepEqual([resetIn(""), resetIn("status"), resetIn("scale")], [["status"], ["spec"], []]);
  });

  test("maintains no generation and needs a resourceVersion for nothing", () => {
    assert.equal(strategy.generation, undefined);
    assert.equal(strategy.update.allowUnconditionalUpdate, true);
    assert.equal(strategy.update.allowCreateOnUpdate, false);
  });
});

describe("The rules that a kind states", () => {
  const called: string[] = [];
  const note = (name: string) => (): void => void called.push(name);
  const { strategy } = define({
    subresources: [statusSubresource, scaleSubresource, { ...statusSubresource, name: "approval" }],
    strategy: {
      validation: { create: note("create"), update: note("update"), subresources: { approval: note("approval") } },
      update: {
        prepareForUpdate: note("prepare"),
        subresources: { approval: { prepareForUpdate: note("prepare approval"), resetFields: ["spec"] } },
      },
    },
  });
  const run = (subresource: string): readonly string[] => {
    called.length = 0;
    const { prepareForUpdate, validateUpdate } = writeStrategyOf(strategy, subresource);
    prepareForUpdate?.({}, {}, context);
    validateUpdate?.({}, {}, new FieldErrors(), context);
    return [...called];
  };

  test("for an update hold for subresources without rules of their own", () => {
    assert.deepEqual(run(""), ["prepare", "update"]);
    assert.deepEqual(run("scale"), ["prepare", "update"]);
  });

  test("for a subresource take the place of those for an update", () => {
    assert.deepEqual(run("approval"), ["prepare approval", "approval"]);
    assert.deepEqual(writeStrategyOf(strategy, "approval").resetFields, ["spec"]);
  });

  test("for an update do not prepare a write of /status", () => {
    assert.deepEqual(run("status"), ["update"]);
  });
});
