import type { MessageInput } from "@gatehouse/component-base/grpc";
import {
  type RangeRequest,
  type RangeResponse,
  type ResponseHeader,
  sortOrder,
  sortTarget,
} from "../etcd/api/index.js";
import type { KeysFound, KeysWanted, KeyVersion } from "../keyspace.js";
import { faceErrors } from "./etcd-errors.js";
import { keyOnlyOf, keyValueOf } from "./headers.js";
import { intervalOf } from "./key-bounds.js";

/** Largest sum of the values of an answer in bytes: such a message takes the memory of both sides at once. */
const maxAnswerBytes = 512 * 2 ** 20;

/** Returns the keys to read for a range request. */
export function keysWanted(request: RangeRequest): KeysWanted {
  const { key, rangeEnd, revision } = request;
  return {
    keys: intervalOf(key, rangeEnd),
    limit: limitOf(request),
    countsAll: true,
    ...(revision > 0 ? { revision } : {}),
  };
}

/** Sorting and filters take place after reading, so they need all keys; the key more than the limit says that there are more. */
function limitOf(request: RangeRequest): number {
  if (request.countOnly) {
    return 0;
  }
  const { limit, minModRevision, maxModRevision, minCreateRevision, maxCreateRevision } = request;
  const needsAll =
    request.sortOrder !== sortOrder.none ||
    [minModRevision, maxModRevision, minCreateRevision, maxCreateRevision].some((bound) => bound !== 0);
  return limit > 0 && !needsAll ? limit + 1 : Number.POSITIVE_INFINITY;
}

/** Filters, sorts and cuts the keys that were found, as etcd does. */
export function rangeAnswer(
  request: RangeRequest,
  found: KeysFound,
  header: ResponseHeader,
): MessageInput<RangeResponse> {
  const { limit, keysOnly } = request;
  const kvs = sorted(request, filtered(request, found.kvs));
  const more = limit > 0 && kvs.length > limit;
  const kept = more ? kvs.slice(0, limit) : kvs;
  if (!keysOnly && kept.reduce((sum, { value }) => sum + value.length, 0) > maxAnswerBytes) {
    throw faceErrors.answerTooLarge;
  }
  return { header, kvs: kept.map(keysOnly ? keyOnlyOf : keyValueOf), more, count: found.count };
}

function filtered(request: RangeRequest, kvs: readonly KeyVersion[]): readonly KeyVersion[] {
  const { minModRevision: minMod, maxModRevision: maxMod } = request;
  const { minCreateRevision: minCreate, maxCreateRevision: maxCreate } = request;
  if (minMod === 0 && maxMod === 0 && minCreate === 0 && maxCreate === 0) {
    return kvs;
  }
  return kvs.filter(
    ({ modRevision, createRevision }) =>
      (maxMod === 0 || modRevision <= maxMod) &&
      (minMod === 0 || modRevision >= minMod) &&
      (maxCreate === 0 || createRevision <= maxCreate) &&
      (minCreate === 0 || createRevision >= minCreate),
  );
}

type Comparison = (a: KeyVersion, b: KeyVersion) => number;

const comparisons = new Map<number, Comparison>([
  [sortTarget.key, (a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))],
  [sortTarget.version, (a, b) => a.version - b.version],
  [sortTarget.create, (a, b) => a.createRevision - b.createRevision],
  [sortTarget.mod, (a, b) => a.modRevision - b.modRevision],
  [sortTarget.value, (a, b) => Buffer.compare(a.value, b.value)],
]);

function sorted(
  { sortOrder: order, sortTarget: target }: RangeRequest,
  kvs: readonly KeyVersion[],
): readonly KeyVersion[] {
  const compare = comparisons.get(target);
  if (compare === undefined || (order === sortOrder.none && target === sortTarget.key)) {
    return kvs; // in key order already
  }
  return kvs.toSorted(order === sortOrder.descend ? (a, b) => compare(b, a) : compare);
}
