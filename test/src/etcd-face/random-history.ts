import { seededRandom } from "@gatehouse/testing/store-contract";

/** One step of a history, as JSON: keys and values are text. Revisions below 0 count back from the newest one. */
export type HistoryStep =
  | { readonly put: Readonly<Record<string, unknown>> }
  | { readonly range: Readonly<Record<string, unknown>> }
  | { readonly deleteRange: Readonly<Record<string, unknown>> }
  | { readonly txn: Readonly<Record<string, unknown>> }
  | { readonly compact: { readonly revision: number } }
  | { readonly grant: { readonly id: number; readonly ttlSeconds: number } }
  | { readonly revoke: { readonly id: number } }
  | { readonly keepAlive: { readonly id: number } }
  | { readonly timeToLive: { readonly id: number; readonly keys: boolean } }
  | { readonly leases: Readonly<Record<never, never>> }
  | { readonly watch: Readonly<Record<string, unknown>> }
  | { readonly cancel: { readonly watchId: number } };

const keys = ["a", "aa", "ab", "b", "b\u0000", "b\u0000c", "c", "d"];
const ends = ["", "", "\u0000", "b", "c", "b\u0000", "e", "a"];

/** Leases from this number on are short; lists of leases are compared without them. */
export const firstShortLease = 1000;

type Random = (below: number) => number;

/** Makes a history of random requests; the same seed makes the same one. */
export function randomHistory(seed: number, length: number): HistoryStep[] {
  const random: Random = seededRandom(seed);
  return Array.from({ length }, () => step(random));
}

function step(random: Random): HistoryStep {
  const kind = random(100);
  if (kind < 30) {
    return { put: put(random) };
  }
  if (kind < 50) {
    return { range: range(random) };
  }
  if (kind < 57) {
    return { deleteRange: deleteRange(random) };
  }
  if (kind < 80) {
    return { txn: txn(random, 2) };
  }
  if (kind < 82) {
    return { compact: { revision: random(8) === 0 ? 1_000_000 : -1 - random(12) } };
  }
  if (kind < 92) {
    return leaseStep(random);
  }
  return kind < 98 ? { watch: watch(random) } : { cancel: { watchId: random(6) } };
}

function leaseStep(random: Random): HistoryStep {
  const id = 1 + random(4);
  switch (random(6)) {
    case 0:
      // It expires at some time during the history, so no other step uses it.
      return { grant: { id: firstShortLease + random(1_000_000), ttlSeconds: random(4) - 2 } };
    case 1:
      return { grant: { id, ttlSeconds: [1000, 5000, 9_000_000_001][random(3)] as number } };
    case 2:
      return { revoke: { id } };
    case 3:
      return { keepAlive: { id } };
    case 4:
      return { timeToLive: { id, keys: random(2) === 0 } };
    default:
      return { leases: {} };
  }
}

const oneOf = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;
const seldom = (random: Random, oneIn: number): boolean => random(oneIn) === 0;

function put(random: Random): Record<string, unknown> {
  return {
    key: seldom(random, 60) ? "" : oneOf(random, keys),
    value: seldom(random, 8) ? "" : String(random(20)),
    lease: seldom(random, 4) ? 1 + random(4) : 0,
    prevKv: seldom(random, 2),
    ignoreValue: seldom(random, 12),
    ignoreLease: seldom(random, 12),
  };
}

function range(random: Random): Record<string, unknown> {
  const bound = (): number => (seldom(random, 5) ? -random(20) : 0);
  return {
    key: seldom(random, 60) ? "" : oneOf(random, [...keys, "\u0000"]),
    rangeEnd: oneOf(random, ends),
    limit: seldom(random, 3) ? random(5) : 0,
    revision: seldom(random, 3) ? -random(15) : seldom(random, 30) ? 1_000_000 : 0,
    sortOrder: random(3),
    sortTarget: random(5),
    keysOnly: seldom(random, 5),
    countOnly: seldom(random, 6),
    minModRevision: bound(),
    maxModRevision: bound(),
    minCreateRevision: bound(),
    maxCreateRevision: bound(),
  };
}

function deleteRange(random: Random): Record<string, unknown> {
  return {
    key: seldom(random, 60) ? "" : oneOf(random, keys),
    rangeEnd: oneOf(random, ends),
    prevKv: seldom(random, 2),
  };
}

function txn(random: Random, depth: number): Record<string, unknown> {
  const some = <T>(make: () => T): T[] => Array.from({ length: random(3) }, make);
  const operation = (): Record<string, unknown> => {
    const kind = random(10);
    if (kind < 4) {
      return { requestPut: put(random) };
    }
    if (kind < 6) {
      return { requestRange: range(random) };
    }
    if (kind < 8) {
      // etcd lets a transaction write a key and delete it by a range without end; here that is a duplicate key, too.
      const request = deleteRange(random);
      return { requestDeleteRange: request["rangeEnd"] === "\u0000" ? { ...request, rangeEnd: "c" } : request };
    }
    return depth > 0 && kind < 9 ? { requestTxn: txn(random, depth - 1) } : { requestPut: put(random) };
  };
  return { compare: some(() => compare(random)), success: some(operation), failure: some(operation) };
}

function compare(random: Random): Record<string, unknown> {
  const target = random(5);
  const wanted = [
    { version: random(4) },
    { createRevision: seldom(random, 2) ? 0 : -random(10) },
    { modRevision: seldom(random, 2) ? 0 : -random(10) },
    { value: String(random(20)) },
    { lease: random(4) },
  ][target];
  const rangeEnd = seldom(random, 4) ? oneOf(random, ends) : "";
  return { result: random(4), target, key: oneOf(random, keys), rangeEnd, ...wanted };
}

function watch(random: Random): Record<string, unknown> {
  return {
    key: seldom(random, 10) ? "" : oneOf(random, keys),
    rangeEnd: oneOf(random, ends),
    startRevision: seldom(random, 2) ? -random(20) : 0,
    filters: seldom(random, 4) ? [random(2)] : [],
    prevKv: seldom(random, 2),
    watchId: seldom(random, 6) ? 1 + random(8) : 0,
    fragment: seldom(random, 4),
  };
}
