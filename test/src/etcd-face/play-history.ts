import {
  type EtcdApi,
  loadEtcdApi,
  type WatchRequest,
  type WatchResponse,
} from "@gatehouse/apiserver/storage/etcd/api";
import {
  type ClientDuplexStream,
  callUnary,
  channelCredentials,
  loadGrpc,
  type Method,
} from "@gatehouse/component-base/grpc";
import { until } from "../support/until.js";
import { firstShortLease, type HistoryStep } from "./random-history.js";

/** The answer to a step without what depends on the cluster and the clock. Errors are their code and message. */
export type PlayedAnswer = unknown;

const deadlineMs = 20_000;

/** A history as a server has answered it. */
export interface PlayedHistory {
  /** The answer to each step, and at last what the watches have seen. */
  readonly answers: readonly PlayedAnswer[];
  /** The number of messages that the watches had seen each time the player waited for them. */
  readonly seenAtWaits: readonly number[];
}

/**
 * Facts that a wait for the watches needs beside an answer about progress, which releases of etcd before 3.4.25 and 3.5.8
 * give before the watches have seen all changes.
 */
export interface WatchWaits {
  /** The number of messages that the watches of another server had seen at each wait. */
  readonly seenAtWaits: readonly number[];
  /** Asks the server whether no watch has older changes to read any more. */
  readonly areCaughtUp: () => Promise<boolean>;
}

const progressIsEnough: WatchWaits = { seenAtWaits: [], areCaughtUp: async () => true };

/** Plays a history against an etcd, or what serves its API. */
export async function playHistory(
  url: string,
  steps: readonly HistoryStep[],
  waits: WatchWaits = progressIsEnough,
): Promise<PlayedHistory> {
  const grpc = await loadGrpc();
  const api = await loadEtcdApi();
  const client = new grpc.Client(new URL(url).host, channelCredentials(grpc, undefined));
  const call = <Q, A>(method: Method<Q, A>, request: unknown): Promise<A> =>
    callUnary(grpc, client, method, request as never, { deadlineMs });
  const newest = async (): Promise<number> =>
    (await call(api.kv.Range, { key: Buffer.from("none") })).header?.revision ?? 0;
  const watches = new PlayedWatches(
    client.makeBidiStreamRequest(api.watch.Watch.path, api.watch.Watch.requestSerialize as never, (bytes: Buffer) =>
      api.watch.Watch.responseDeserialize(bytes),
    ) as never,
    newest,
    waits,
  );
  const renewals = client.makeBidiStreamRequest(
    api.lease.LeaseKeepAlive.path,
    api.lease.LeaseKeepAlive.requestSerialize as never,
    (bytes: Buffer) => api.lease.LeaseKeepAlive.responseDeserialize(bytes),
  );
  renewals.on("error", () => {});
  try {
    const answers: PlayedAnswer[] = [];
    for (const step of steps) {
      answers.push(await play(step, { api, call, newest, watches, renewals }));
    }
    await watches.synced();
    return { answers: [...answers, watches.seen()], seenAtWaits: watches.seenAtWaits };
  } finally {
    watches.end();
    renewals.cancel();
    client.close();
  }
}

interface Player {
  readonly api: EtcdApi;
  readonly call: <Q, A>(method: Method<Q, A>, request: unknown) => Promise<A>;
  readonly newest: () => Promise<number>;
  readonly watches: PlayedWatches;
  readonly renewals: ClientDuplexStream<never, unknown>;
}

async function play(step: HistoryStep, player: Player): Promise<PlayedAnswer> {
  const { api, call, watches, renewals } = player;
  const [[name, body]] = Object.entries(step) as [[string, Record<string, unknown>]];
  const request = wireForm(body, await player.newest()) as Record<string, unknown>;
  try {
    switch (name) {
      case "put":
        return answerForm(await call(api.kv.Put, request));
      case "range":
        return answerForm(await call(api.kv.Range, request));
      case "deleteRange":
        return answerForm(await call(api.kv.DeleteRange, request));
      case "txn":
        return answerForm(await call(api.kv.Txn, request));
      case "compact":
        await watches.synced(); // otherwise it is a matter of time what the watches still see
        return answerForm(await call(api.kv.Compact, { ...request, physical: true }));
      case "grant":
        return answerForm(await call(api.lease.LeaseGrant, request));
      case "revoke":
        return answerForm(await call(api.lease.LeaseRevoke, request));
      case "timeToLive": {
        const answer = await call(api.lease.LeaseTimeToLive, request);
        const keys = answer.keys.map(String).sort(); // etcd gives them in no order
        return answerForm({ ...answer, keys, ttlSeconds: answer.ttlSeconds < 0 ? answer.ttlSeconds : "left" });
      }
      case "leases": {
        const { leases } = await call(api.lease.LeaseLeases, request);
        return leases.flatMap(({ id }) => (id < BigInt(firstShortLease) ? [String(id)] : [])).sort();
      }
      case "keepAlive":
        return await new Promise((resolve) => {
          renewals.once("data", (answer: unknown) => resolve(answerForm(answer)));
          renewals.write(request as never);
        });
      case "watch":
        return await watches.create(request);
      default:
        return await watches.cancel(request as { readonly watchId: number });
    }
  } catch (error) {
    const { code, details } = error as { readonly code?: number; readonly details?: string };
    if (code === undefined) {
      throw error;
    }
    return { code, details };
  }
}

/** The watches of a history on one stream, and what they have seen. */
class PlayedWatches {
  readonly #stream: ClientDuplexStream<WatchRequest, WatchResponse>;
  readonly #newest: () => Promise<number>;
  readonly #seen = new Map<number, unknown[]>();
  readonly #answers: WatchResponse[] = [];
  readonly #live = new Set<number>();
  readonly #waits: WatchWaits;
  readonly #seenAtWaits: number[] = [];
  #progress = 0;

  constructor(
    stream: ClientDuplexStream<WatchRequest, WatchResponse>,
    newest: () => Promise<number>,
    waits: WatchWaits,
  ) {
    this.#stream = stream;
    this.#newest = newest;
    this.#waits = waits;
    stream.on("error", () => {});
    stream.on("data", (response: WatchResponse) => this.#receive(response));
  }

  async create(request: object): Promise<unknown> {
    this.#stream.write({ createRequest: request } as never);
    const answer = await this.#answer();
    await this.synced(); // the next request would overtake what it still has to read
    return answer;
  }

  async cancel({ watchId }: { readonly watchId: number }): Promise<unknown> {
    await this.synced();
    if (!this.#live.has(watchId)) {
      return "there is no such watch";
    }
    this.#stream.write({ cancelRequest: { watchId } } as never);
    return this.#answer();
  }

  /** Resolves when all watches have seen all changes. */
  async synced(): Promise<void> {
    const revision = await this.#newest();
    const expected = this.#waits.seenAtWaits[this.#seenAtWaits.length] ?? 0;
    await until("the watches have caught up", this.#waits.areCaughtUp);
    await until("the watches have seen everything", () => {
      if (this.#live.size === 0 || this.#progress >= revision) {
        return this.#seenCount() >= expected;
      }
      this.#stream.write({ progressRequest: {} } as never);
      return false;
    });
    this.#seenAtWaits.push(this.#seenCount());
  }

  get seenAtWaits(): readonly number[] {
    return this.#seenAtWaits;
  }

  seen(): unknown {
    return [...this.#seen].sort(([a], [b]) => a - b);
  }

  end(): void {
    this.#stream.cancel();
  }

  #seenCount(): number {
    return [...this.#seen.values()].reduce((count, messages) => count + messages.length, 0);
  }

  async #answer(): Promise<unknown> {
    const { header: _, ...answer } = await until("the watch is answered", () => this.#answers.shift());
    return answerForm(answer);
  }

  #receive(response: WatchResponse): void {
    const { watchId, created, canceled, compactRevision, events } = response;
    if (watchId === -1 && !created) {
      this.#progress = response.header?.revision ?? 0;
      return;
    }
    if (created && !canceled) {
      this.#live.add(watchId);
      this.#progress = 0; // it may have to catch up
    }
    if (canceled && !created && !this.#live.delete(watchId)) {
      return; // the answer to the request below
    }
    if (compactRevision > 0) {
      // etcd says nothing about progress as long as it knows of a watch that it has cancelled by itself.
      this.#stream.write({ cancelRequest: { watchId } } as never);
    }
    if (created || (canceled && compactRevision === 0)) {
      this.#answers.push(response);
    }
    const seen = this.#seen.get(watchId) ?? [];
    this.#seen.set(watchId, seen);
    seen.push(...(events.map(answerForm) as unknown[]), ...(compactRevision > 0 ? [answerForm(response)] : []));
  }
}

const revisions = new Set([
  ...["revision", "startRevision", "minModRevision", "maxModRevision", "minCreateRevision", "maxCreateRevision"],
  ...["createRevision", "modRevision"],
]);

/** Turns the JSON of a step into a message: texts into bytes, identifiers into bigints, revisions from their distance. */
function wireForm(value: unknown, newest: number, name = ""): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => wireForm(item, newest));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, wireForm(item, newest, key)]));
  }
  if (typeof value === "string") {
    return Buffer.from(value);
  }
  if (name === "id" || name === "lease") {
    return BigInt(value as number);
  }
  return revisions.has(name) && (value as number) < 0 ? Math.max(1, newest + (value as number)) : value;
}

/**
 * Turns a message into JSON: bytes into text, bigints into their digits, headers into their revision. What has its default
 * value is left out, which is the same message.
 */
function answerForm(value: unknown): unknown {
  if (Buffer.isBuffer(value)) {
    return value.toString();
  }
  if (typeof value === "bigint") {
    return value.toString();
  }
  if (Array.isArray(value)) {
    return value.map(answerForm);
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => [
      key,
      key === "header" ? ((item as { revision?: number } | null)?.revision ?? null) : answerForm(item),
    ]);
    return Object.fromEntries(entries.filter(([, item]) => !isDefault(item)));
  }
  return value;
}

function isDefault(value: unknown): boolean {
  return [0, "0", "", false, null].includes(value as null) || (Array.isArray(value) && value.length === 0);
}
