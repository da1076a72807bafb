import assert from "node:assert/strict";
import { sumOf } from "../crash/recorded-write.js";
import type { RecordedEvent, RecordingWatcher } from "../crash/recording-watcher.js";
import { replay } from "../crash/state-of-collection.js";
import { checkRegister } from "./check-register.js";
import type { RecordedHistory, RecordedList } from "./recorded-history.js";
import { isWrite, type RegisterOperation } from "./register-operation.js";

/**
 * Checks a history of a collection that was empty at first, and the watches that followed it from then on: the watches
 * have seen one sequence of changes, which has every acknowledged write once; each list is the collection at its version;
 * and the requests for each object are linearizable. Throws AssertionError for what is wrong.
 */
export function checkHistory(history: RecordedHistory, watchers: readonly RecordingWatcher[]): void {
  const events = watchers[0]?.events ?? [];
  assertOneSequence(watchers);
  replay(new Map(), events);
  assertLists(history.lists, events);
  const versions = new Map(events.flatMap(({ type, sum, revision }) => (type === "DELETED" ? [] : [[sum, revision]])));
  assert.equal(versions.size, events.filter(({ type }) => type !== "DELETED").length, "a value was written twice");
  for (const [name, operations] of history.operations) {
    const deletions = events.filter((event) => event.type === "DELETED" && event.name === name).length;
    assertDeletions(name, operations, deletions);
    const verdict = checkRegister(operations.flatMap((operation) => withVersion(name, operation, versions)));
    assert.ok(verdict.linearizable, `${name}: ${verdict.linearizable || verdict.explanation}`);
  }
}

/** Every watcher has seen the same changes, each once and in order. */
function assertOneSequence(watchers: readonly RecordingWatcher[]): void {
  for (const { events } of watchers) {
    for (const [index, event] of events.entries()) {
      const previous = events[index - 1];
      assert.ok(
        previous === undefined || previous.revision < event.revision,
        `${previous?.revision} is not before ${event.revision}`,
      );
      assert.deepEqual(event, watchers[0]?.events[index], "all watchers have seen the same");
    }
    assert.equal(events.length, watchers[0]?.events.length);
  }
}

/** Each list is what the events up to its version have left. */
function assertLists(lists: readonly RecordedList[], events: readonly RecordedEvent[]): void {
  const state = new Map<string, number>();
  let next = 0;
  for (const { version, items } of [...lists].sort((a, b) => a.version - b.version)) {
    for (let event = events[next]; event !== undefined && event.revision <= version; event = events[++next]) {
      if (event.type === "DELETED") {
        state.delete(event.name);
      } else {
        state.set(event.name, event.revision);
      }
    }
    const isSame = items.size === state.size && [...items].every(([name, revision]) => state.get(name) === revision);
    assert.ok(isSame, `the list at ${version}: ${JSON.stringify([...items])} instead of ${JSON.stringify([...state])}`);
  }
}

function assertDeletions(name: string, operations: readonly RegisterOperation[], deletions: number): void {
  const sent = operations.filter(({ kind }) => kind === "delete");
  const acknowledged = sent.filter(({ outcome }) => outcome === "ok").length;
  const unknown = sent.filter(({ outcome }) => outcome === "unknown").length;
  const told = `${deletions} deletions of ${name} with ${acknowledged} acknowledged and ${unknown} unknown`;
  assert.ok(acknowledged <= deletions && deletions <= acknowledged + unknown, told);
}

/** Adds what the watches tell of a write without an answer: its version, or that it has not happened. */
function withVersion(
  name: string,
  operation: RegisterOperation,
  versions: ReadonlyMap<string | undefined, number>,
): readonly RegisterOperation[] {
  if (!isWrite(operation) || operation.value === undefined) {
    return [operation];
  }
  const version = versions.get(sumOf(operation.value));
  if (operation.outcome === "unknown") {
    return version === undefined ? [] : [{ ...operation, version }];
  }
  assert.equal(
    version,
    operation.outcome === "ok" ? operation.version : undefined,
    `${name}: ${JSON.stringify(operation)}`,
  );
  return [operation];
}
