import type { RequestInfo } from "../request/request-info.js";

/** The seats that a request takes up, and for how long beyond its answer. */
export interface WorkEstimate {
  /** The seats that the request takes up until it is answered. */
  readonly initialSeats: number;
  /** The seats that watchers of the written object take up after the answer. */
  readonly finalSeats: number;
  /** The time in milliseconds for which `finalSeats` are taken. */
  readonly additionalMs: number;
  /** The watchers of the object that a request writes; undefined where there can be none. */
  readonly watchers?: number;
}

/** A request as estimates need it. */
export interface EstimatedRequest {
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
}

/** Knowledge of the server about the work of requests. */
export interface WorkSources {
  /** Returns the number of stored objects of a resource; undefined when it is not known. */
  readonly countObjects: (group: string, resource: string) => number | undefined;
  /** Returns the number of watchers that a write concerns. */
  readonly countWatchers: (info: RequestInfo) => number;
  /** True if watches may begin with a list (the feature WatchList). */
  readonly hasStreamingLists: boolean;
}

/** The largest number of seats of any request. */
const maxSeatsOfAny = 10;
const objectsPerSeat = 100;
const watchersPerSeat = 10;
/** The time in milliseconds that watchers take for an event. */
const eventMs = 5;

const oneSeat: WorkEstimate = Object.freeze({ initialSeats: 1, finalSeats: 0, additionalMs: 0 });
const writes = new Set(["create", "update", "patch", "delete"]);

/**
 * Estimates the work of a request. `maxSeats` is the largest number of seats of one request in its priority level; 0 for
 * levels without one.
 */
export function estimateWork(request: EstimatedRequest, maxSeats: number, sources: WorkSources): WorkEstimate {
  const { verb } = request.info;
  const limit = maxSeats === 0 ? maxSeatsOfAny : Math.min(maxSeats, maxSeatsOfAny);
  if (verb === "list" || (verb === "watch" && sources.hasStreamingLists)) {
    return estimateList(request, limit, sources);
  }
  return writes.has(verb) ? estimateWrite(request.info, limit, sources) : oneSeat;
}

function estimateList({ info, query }: EstimatedRequest, maxSeats: number, sources: WorkSources): WorkEstimate {
  const isWatch = info.verb === "watch";
  if (info.name !== "" || (isWatch && !isTrue(query.get("sendInitialEvents")))) {
    return oneSeat;
  }
  const limitText = query.get("limit") ?? "";
  if (!/^[+-]?\d*$/.test(limitText)) {
    // It will be refused, and v1.29 does not think about it any further.
    return { ...oneSeat, initialSeats: maxSeats };
  }
  const stored = sources.countObjects(info.group, info.resource);
  if (stored === undefined) {
    return oneSeat;
  }
  const asked = Number(limitText);
  const shown = asked > 0 ? Math.min(asked, stored) : stored;
  let processed = 2 * shown;
  if (isWatch || !readsStore(query, asked)) {
    processed = stored;
  } else if (query.get("fieldSelector") || query.get("labelSelector")) {
    processed = stored + shown;
  }
  const seats = Math.ceil(processed / objectsPerSeat);
  return seats <= 1 ? oneSeat : { ...oneSeat, initialSeats: Math.min(seats, maxSeats) };
}

/** Reports whether v1.29 would answer a list from etcd and not from its cache. */
function readsStore(query: URLSearchParams, limit: number): boolean {
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  return (
    version === "" ||
    (query.get("continue") ?? "") !== "" ||
    (limit > 0 && version !== "0") ||
    (match !== "" && match !== "NotOlderThan")
  );
}

function estimateWrite(info: RequestInfo, maxSeats: number, sources: WorkSources): WorkEstimate {
  if (info.resource === "serviceaccounts" && info.subresource === "token") {
    // A token is no event.
    return oneSeat;
  }
  const watchers = sources.countWatchers(info);
  if (watchers < watchersPerSeat) {
    return { ...oneSeat, watchers };
  }
  // The same work on fewer seats takes longer.
  const seats = Math.ceil(watchers / watchersPerSeat);
  const finalSeats = Math.min(seats, maxSeats);
  return { initialSeats: 1, finalSeats, additionalMs: (seats * eventMs) / finalSeats, watchers };
}

function isTrue(text: string | null): boolean {
  return text !== null && /^(?:1|t|T|true|TRUE|True)$/.test(text);
}
