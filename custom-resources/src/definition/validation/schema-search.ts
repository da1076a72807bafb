import { isJsonObject, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import type { PatternProblems } from "../../schema/pattern-problems.js";
import { Slices } from "@gatehouse/apiserver/structural-schemas";

const single = ["items", "not", "additionalProperties", "additionalItems"];
const lists = ["items", "allOf", "anyOf", "oneOf"];
const maps = ["properties", "patternProperties", "definitions", "dependencies"];

/** Reports whether any node of a schema, itself included, meets a condition. */
export function someNode(schema: JsonObject, isWanted: (node: JsonObject) => boolean): boolean {
  const search = someNodeOf([schema], isWanted);
  for (;;) {
    const step = search.next();
    if (step.done === true) {
      return step.value;
    }
  }
}

/** Yields every node of a schema, itself included, in no particular order. */
export function* nodesOf(schema: JsonObject): Generator<JsonObject, void, undefined> {
  const pending = [schema];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    addNested(node, pending);
  }
}

/** Reports whether any node of several schemas meets a condition, in slices. */
export function* someNodeOf(
  schemas: readonly JsonObject[],
  isWanted: (node: JsonObject) => boolean,
): Generator<undefined, boolean, undefined> {
  const slices = new Slices();
  const pending = [...schemas];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isWanted(node)) {
      return true;
    }
    addNested(node, pending);
    if (slices.isOver()) {
      yield;
    }
  }
  return false;
}

/**
 * Reads the patterns of schemas in slices, so that `problems` can answer at once afterwards; together they may be as
 * long as a body.
 */
export function* readPatterns(
  schemas: readonly JsonObject[],
  problems: PatternProblems,
): Generator<undefined, void, undefined> {
  yield* someNodeOf(schemas, (node) => {
    problems.of(textAt(node, "pattern"));
    return false;
  });
}

/** Reports whether one of several schemas meets a condition, with a pause after each. */
export function* someSchema(
  schemas: readonly JsonObject[],
  isSo: (schema: JsonObject) => boolean,
): Generator<undefined, boolean, undefined> {
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
