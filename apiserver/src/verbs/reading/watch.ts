import {
  internalError,
  type Status,
  StatusError,
  serviceUnavailable,
  tooOldResourceVersion,
} from "@gatehouse/envelopes/status";
import { NoLongerServedError, RevisionCompactedError } from "../../errors/errors.js";
import { openAnswer } from "../../http/answer.js";
import type { Representation } from "../../http/negotiation.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { Exchange } from "../../request/exchange.js";
import type { RequestContext } from "../../request/request-context.js";
import { SharedPiece } from "../../request/shared-piece.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import type { CacheEvent } from "../../storage/cache/cache-event.js";
import type { CacheWatcher } from "../../storage/cache/cache-watcher.js";
import type { WatchInterest } from "../../storage/cache/watch-interest.js";
import { statusOfStoreError } from "../../storage/store-status.js";
import { type ListOptions, parseListOptions } from "../list-options.js";
import type { RequestScope } from "../request-scope.js";
import { includeObjectOf, objectRepresentation, representationFor } from "../respond.js";
import type { VerbEnvironment } from "../verb-environment.js";
import type { EventOutput } from "./event-output.js";
import { waitForVersion } from "./get.js";
import { compileSelection, interestOf, type Selection, singleKeyOf, takeSelected } from "./selection.js";
import { endStream, watchTimeoutMs } from "./watch-end.js";
import { type FrameWriter, frameWriterFor, UnshownEventError } from "./watch-frames.js";

/** Interval in milliseconds between bookmarks for a watcher that asked for them, when nothing else happens. */
const bookmarkIntervalMs = 60_000;
/** Events taken from the cache at a time, at most. */
const maxBatchEvents = 512;
/** Frames written at a time, more or less: what a watcher that does not read keeps in memory. */
const batchBytes = 256 * 1024;

/**
 * Handles GET of a collection with `watch` set: a stream of events that ends with the client, the timeout or the
 * server.
 */
export async function watch(scope: RequestScope): Promise<void> {
  const { environment, context, served } = scope;
  // YAML is refused as a stream only after all other checks, as in v1.29.
  objectRepresentation(context, served.form);
  const options = parseListOptions(context, served, true, environment.features.enabled("WatchList"));
  const representation = representationFor(context, served.form.streamOffer);
  const stream = new WatchStream(scope, options, representation);
  await stream.run();
}

class WatchStream {
  readonly #environment: VerbEnvironment;
  readonly #context: RequestContext;
  readonly #exchange: Exchange;
  #output: EventOutput;
  readonly #served: ServedResource;
  readonly #options: ListOptions;
  readonly #frames: FrameWriter;
  readonly #prefix: string;
  readonly #singleKey: string | undefined;
  readonly #interest: WatchInterest | undefined;
  readonly #selection: Selection;
  /** True if all objects under the prefix are wanted, whatever they are like. */
  readonly #allOfPrefix: boolean;
  #watcher: CacheWatcher | undefined;
  #batchEvents = maxBatchEvents;
  #blocked = false;
  #ended = false;
  #wake: () => void = () => {};

  constructor({ environment, context, served }: RequestScope, options: ListOptions, representation: Representation) {
    const { info } = context;
    this.#environment = environment;
    this.#context = context;
    this.#exchange = context.exchange;
    this.#output = context.exchange;
    this.#served = served;
    this.#options = options;
    this.#frames = frameWriterFor(
      served,
      representation,
      representation.as === "Table" ? includeObjectOf(context) : "None",
      context.now,
    );
    this.#prefix = served.storage.prefixOf(info.namespace);
    // The old `/watch/.../name` paths watch one object, and so do most field selectors.
    const target = { namespace: info.namespace, name: info.parts[1] };
    this.#singleKey = singleKeyOf(served, options, target);
    this.#interest = interestOf(served, options, target);
    this.#selection = compileSelection(served, options);
    this.#allOfPrefix = this.#selection === undefined && this.#singleKey === undefined;
  }

  /** Resolves when the stream has ended, for whatever reason. */
  async run(): Promise<void> {
    const { storage } = this.#served;
    const initial = await this.#initialState();
    if (this.#context.isClosed) {
      return;
    }
    if (this.#environment.stopping.aborted) {
      throw serviceUnavailable("the server is shutting down");
    }
    const output = await this.#open();
    if (output === undefined || this.#context.isClosed) {
      return;
    }
    this.#output = output;
    const watchEnded = this.#environment.metrics.longRunningStarted(this.#context);
    const finished = this.#untilFinished();
    try {
      const from = initial?.revision ?? this.#options.resourceVersion ?? 0;
      if (initial !== undefined) {
        await this.#sendInitial(initial.entries, initial.revision);
      }
      if (!this.#ended) {
        const interest = this.#interest;
        this.#watcher = storage.cache.watch({
          afterRevision: from,
          interest,
          isPatient: true,
          onEvents: () => this.#pump(),
        });
        this.#pump();
      }
      this.#context.onWatchBegun?.();
    } catch (error) {
      this.#fail(error);
    }
    await finished;
    watchEnded();
  }

  /** Begins the answer. Returns the way of the events; undefined if the client was refused. */
  async #open(): Promise<EventOutput | undefined> {
    if (this.#exchange.asksForWebSocket) {
      const { openWebSocketEvents } = await import("./websocket-events.js");
      return await openWebSocketEvents(this.#exchange, this.#frames);
    }
    await openAnswer(this.#context, 200, { "Content-Type": this.#frames.contentType });
    return this.#exchange;
  }

  /** Returns the objects to begin with, for watches that start from no particular version. */
  async #initialState(): Promise<{ revision: number; entries: readonly CacheEntry[] } | undefined> {
    const { storage } = this.#served;
    const { resourceVersion, sendInitialEvents } = this.#options;
    const wanted = sendInitialEvents ?? (resourceVersion === undefined || resourceVersion === 0);
    if (resourceVersion === undefined) {
      await storage.catchUp(this.#context);
    } else {
      await storage.cache.ready();
      if (sendInitialEvents === true && resourceVersion > 0) {
        await waitForVersion(this.#context, this.#served, resourceVersion);
      }
    }
    if (!wanted) {
      return resourceVersion === undefined || resourceVersion === 0
        ? { revision: storage.cachedRevision, entries: [] }
        : undefined;
    }
    const snapshot = storage.cache.snapshot();
    const range = { prefix: this.#singleKey ?? this.#prefix, fromKey: undefined };
    const isWanted = this.#singleKey === undefined ? this.#selection : (entry: CacheEntry) => this.#wants(entry);
    const entries = await takeSelected(snapshot, range, isWanted, Number.POSITIVE_INFINITY, this.#context);
    return { revision: snapshot.revision, entries };
  }

  async #sendInitial(entries: readonly CacheEntry[], revision: number): Promise<void> {
    if (entries.length > 0) {
      this.#served.storage.cache.metrics?.initialEvents(entries.length);
    }
    await this.#served.form.prepare(entries, this.#context);
    let pending: Buffer[] = [];
    let size = 0;
    for (const entry of entries) {
      await this.#context.yield();
      const frame = this.#frames.event("ADDED", entry);
      pending.push(frame);
      size += frame.length;
      if (size >= batchBytes) {
        await this.#writeAndDrain(new SharedPiece(Buffer.concat(pending, size)), pending.length);
        if (this.#ended) {
          return;
        }
        pending = [];
        size = 0;
      }
    }
    if (this.#options.sendInitialEvents === true && this.#options.allowWatchBookmarks) {
      pending.push(this.#frames.bookmark(revision, true));
    }
    if (pending.length > 0) {
      await this.#writeAndDrain(new SharedPiece(Buffer.concat(pending)), pending.length);
    }
    if (this.#options.sendInitialEvents === true) {
      this.#environment.metrics.watchListSent(this.#context);
    }
  }

  async #writeAndDrain(piece: SharedPiece, count: number): Promise<void> {
    if (!this.#write(piece, count)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Takes what the cache has and writes it, until there is no more or the client is slower than we are. */
  #pump(): void {
    const watcher = this.#watcher;
    if (watcher === undefined || this.#blocked || this.#ended) {
      return;
    }
    try {
      for (;;) {
        const events = watcher.next(this.#batchEvents);
        if (events.length === 0) {
          return;
        }
        const reading = this.#served.form.prepare(statesOf(events), this.#context);
        if (reading !== undefined) {
          this.#writeWhenReadable(events, reading);
          return;
        }
        if (!this.#writeEvents(events)) {
          return;
        }
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Waits for the conversion of the objects; events that come meanwhile stay in the cache. */
  #writeWhenReadable(events: readonly CacheEvent[], reading: Promise<void>): void {
    this.#blocked = true;
    reading
      .then(() => {
        this.#blocked = false;
        if (!this.#ended && this.#writeEvents(events)) {
          this.#pump();
        }
      })
      .catch((error: unknown) => this.#fail(error));
  }

  /** Writes events. Returns false when the client is slower than the server. */
  #writeEvents(events: readonly CacheEvent[]): boolean {
    const piece = this.#framesOf(events);
    if (piece === undefined) {
      return true;
    }
    const fitting = Math.floor((batchBytes * events.length) / piece.length);
    this.#batchEvents = Math.max(1, Math.min(fitting, maxBatchEvents));
    return this.#write(piece, events.length);
  }

  #framesOf(events: readonly CacheEvent[]): SharedPiece | undefined {
    if (this.#allOfPrefix) {
      return this.#frames.batch(events, this.#prefix);
    }
    const frames: SharedPiece[] = [];
    for (const event of events) {
      const frame = this.#frameOf(event);
      if (frame !== undefined) {
        frames.push(frame);
      }
    }
    return frames.length > 1 ? new SharedPiece(Buffer.concat(frames.map(({ bytes }) => bytes))) : frames[0];
  }

  /**
   * Returns the frame of an event for this watcher. An object that comes into the selection is ADDED, one that leaves
   * it DELETED, whatever its own event was.
   */
  #frameOf(event: CacheEvent): SharedPiece | undefined {
    if (!event.entry.key.startsWith(this.#prefix)) {
      return undefined;
    }
    const had = event.previous !== undefined && this.#wants(event.previous);
    const has = event.type !== "DELETED" && this.#wants(event.entry);
    if (has) {
      return this.#frames.shared(event, had ? "MODIFIED" : "ADDED");
    }
    return had ? this.#frames.shared(event, "DELETED") : undefined;
  }

  #wants(entry: CacheEntry): boolean {
    return (
      (this.#singleKey === undefined || entry.key === this.#singleKey) &&
      (this.#selection === undefined || this.#selection(entry))
    );
  }

  #write(piece: SharedPiece, count: number): boolean {
    if (this.#ended) {
      return true;
    }
    this.#environment.metrics.watchEvents(this.#served, count, piece.length);
    if (this.#output.writeShared(piece)) {
      return true;
    }
    this.#blocked = true;
    this.#output.whenDrained(() => {
      this.#blocked = false;
      this.#wake();
      this.#pump();
    });
    return false;
  }

  /** Errors inside a stream are events: the answer has begun long ago. */
  #fail(error: unknown): void {
    if (this.#ended) {
      return;
    }
    if (error instanceof NoLongerServedError || error instanceof UnshownEventError) {
      this.#end();
      return;
    }
    const known = statusOfStoreError(error) ?? error;
    const status = watchErrorStatus(known, this.#options.resourceVersion ?? 0);
    this.#output.write(this.#frames.error(status));
    this.#end();
    if (!(known instanceof RevisionCompactedError) && !(known instanceof StatusError)) {
      this.#environment.reportFault(error);
    }
  }

  /** Ends the stream with its timeout or the server; bookmarks go out meanwhile. */
  #untilFinished(): Promise<void> {
    const { superseded } = this.#served;
    return new Promise((resolve) => {
      const bookmarks = this.#options.allowWatchBookmarks
        ? setInterval(() => this.#sendBookmark(), bookmarkIntervalMs)
        : undefined;
      const end = (): void => {
        this.#pump();
        this.#sendBookmark();
        if (!this.#ended) {
          this.#end();
        }
      };
      const timer = setTimeout(
        end,
        watchTimeoutMs(this.#options.timeoutSeconds, this.#environment.minRequestTimeoutMs),
      );
      const stay = this.#environment.watchEnds.add(end);
      const endNow = (): void => this.#fail(new NoLongerServedError());
      if (superseded?.aborted === true) {
        endNow();
      }
      superseded?.addEventListener("abort", endNow, { once: true });
      this.#exchange.whenClosed(() => {
        this.#ended = true;
        clearInterval(bookmarks);
        clearTimeout(timer);
        stay();
        superseded?.removeEventListener("abort", endNow);
        this.#watcher?.close();
        this.#wake();
        resolve();
      });
    });
  }

  /**
   * Ends the watch: nothing more is written. Events may still arrive until the client has taken all and the response
   * closes.
   */
  #end(): void {
    this.#ended = true;
    this.#watcher?.close();
    this.#wake();
    endStream(this.#context, this.#output);
  }

  /** Tells how far the stream has got, if the client asked for that and has everything up to there. */
  #sendBookmark(): void {
    if (!this.#options.allowWatchBookmarks || this.#blocked || this.#ended || this.#watcher === undefined) {
      return;
    }
    this.#pump();
    if (!this.#blocked && !this.#ended) {
      this.#writeBookmark(this.#watcher.revision);
    }
  }

  #writeBookmark(revision: number): void {
    try {
      this.#output.write(this.#frames.bookmark(revision, false));
    } catch (error) {
      this.#fail(error);
    }
  }
}

/** Returns the states that the frame of an event may show. */
function statesOf(events: readonly CacheEvent[]): CacheEntry[] {
  const states: CacheEntry[] = [];
  for (const { entry, previous } of events) {
    states.push(entry);
    if (previous !== undefined) {
      states.push(previous);
    }
  }
  return states;
}

function watchErrorStatus(error: unknown, requested: number): Status {
  if (error instanceof RevisionCompactedError) {
    return tooOldResourceVersion(requested, error.compactRevision).status;
  }
  if (error instanceof StatusError && error.reason === "") {
    return internalError(error.message).status;
  }
  if (error instanceof StatusError) {
    return error.status;
  }
  return new StatusError(500, "InternalError", "an error on the server has prevented the watch from going on").status;
}
