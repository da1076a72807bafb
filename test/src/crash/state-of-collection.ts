import assert from "node:assert/strict";
import type { ApiDocument } from "../spec/support/api-document.js";
import { versionOf } from "../spec/support/fixtures.js";
import type { RecordedEvent } from "./recording-watcher.js";

/** The objects of a collection by name: the version of each and the sum of its content. */
export type CollectionState = Map<string, string>;

export function stateOfItems(items: readonly ApiDocument[]): CollectionState {
  return new Map(items.map((item) => [item.metadata.name ?? "", `${versionOf(item)} ${item.data?.["sum"]}`]));
}

/** The state after the events up to a revision. Each of them must be what its type says. */
export function replay(
  state: CollectionState,
  events: readonly RecordedEvent[],
  upTo: number = Number.POSITIVE_INFINITY,
): CollectionState {
  const result = new Map(state);
  for (const { type, name, revision, sum } of events) {
    if (revision > upTo) {
      break;
    }
    assert.equal(type === "ADDED", !result.has(name), `${type} of ${name}, revision ${revision}`);
    if (type === "DELETED") {
      result.delete(name);
    } else {
      result.set(name, `${revision} ${sum}`);
    }
  }
  return result;
}

/** Compares without printing a hundred thousand lines. */
export function assertSameState(actual: CollectionState, expected: CollectionState, what: string): void {
  const different = [...new Set([...actual.keys(), ...expected.keys()])].filter(
    (name) => actual.get(name) !== expected.get(name),
  );
  const shown = different.slice(0, 10).map((name) => `${name}: ${actual.get(name)} instead of ${expected.get(name)}`);
  assert.equal(different.length, 0, `${what}: ${different.length} objects differ\n${shown.join("\n")}`);
}
