import { isJsonObject, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { finishSteps, type Steps } from "@gatehouse/envelopes/scheduling";
import { NodeMeter } from "@gatehouse/policies/structural-schemas";
import type { PatternProblems } from "../../schema/pattern-problems.js";

const single = ["items", "not", "additionalProperties", "additionalItems"];
const lists = ["items", "allOf", "anyOf", "oneOf"];
const maps = ["properties", "patternProperties", "definitions", "dependencies"];

/** Reports whether any node of a schema, itself included, meets a condition. */
export function someNode(schema: JsonObject, isWanted: (node: JsonObject) => boolean): boolean {
  return finishSteps(someNodeOf([schema], isWanted));
}

/** Yields every node of a schema, itself included, in no particular order. */
export function* nodesOf(schema: JsonObject): Generator<JsonObject, void, undefined> {
  const pending = [schema];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    addNested(node, pending);
  }
}

/** Reports whether any node of several schemas meets a condition, in steps. */
export function* someNodeOf(schemas: readonly JsonObject[], isWanted: (node: JsonObject) => boolean): Steps<boolean> {
  const meter = new NodeMeter();
  const pending = [...schemas];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isWanted(node)) {
      return true;
    }
    addNested(node, pending);
    if (meter.count()) {
      yield;
    }
  }
  return false;
}

/**
 * Reads the patterns of schemas in steps, so that `problems` can answer at once afterwards; together they may be as
 * long as a body.
 */
export function* readPatterns(schemas: readonly JsonObject[], problems: PatternProblems): Steps {
  yield* someNodeOf(schemas, (node) => {
    problems.of(textAt(node, "pattern"));
    return false;
  });
}

/** Reports whether one of several schemas meets a condition, in steps of one schema. */
export function* someSchema(schemas: readonly JsonObject[], isSo: (schema: JsonObject) => boolean): Steps<boolean> {
  for (const schema of schemas) {
    if (isSo(schema)) {
      return true;
    }
    yield;
  }
  return false;
}

function addNested(schema: JsonObject, pending: JsonObject[]): void {
  const add = (node: JsonValue | undefined): void => {
    if (node !== undefined && isJsonObject(node)) {
      pending.push(node);
    }
  };
  for (const member of single) {
    add(schema[member]);
  }
  for (const member of lists) {
    const list = schema[member];
    if (Array.isArray(list)) {
      list.forEach(add);
    }
  }
  for (const member of maps) {
    const map = schema[member];
    if (map !== undefined && isJsonObject(map)) {
      for (const name in map) {
        add(map[name]);
      }
    }
  }
}
