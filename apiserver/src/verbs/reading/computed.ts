import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { openAnswer } from "../../http/answer.js";
import { metaOf } from "../../objects/object-meta.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { RequestContext } from "../../request/request-context.js";
import { CacheEntry } from "../../storage/cache/cache-entry.js";
import { parseListOptions } from "../list-options.js";
import type { RequestScope } from "../request-scope.js";
import { includeObjectOf, objectRepresentation, representationFor, respondWithEntry } from "../respond.js";
import { respondWithPage } from "./list.js";
import { compileSelection, type Selection } from "./selection.js";
import { endStream, watchTimeoutMs } from "./watch-end.js";
import { frameWriterFor, type WatchEventType } from "./watch-frames.js";

/*
 * Answers with objects that are computed when they are read. They take the way of stored objects: each becomes an entry
 * like one of a cache, so that selectors, tables, bare metadata and every encoding work for them, too.
 */

/** A change of a computed object. */
export interface ComputedEvent {
  readonly type: WatchEventType;
  /** The object after the change, or the last state of one that is gone. */
  readonly object: JsonObject;
  /**
   * The object before a change, under the resource version of the change: a watcher whose selectors only one of both
   * fulfils is told that the object has come or gone.
   */
  readonly previous?: JsonObject;
}

/** A bookmark of a computed watch: all changes up to the revision have been told. */
export interface ComputedBookmark {
  readonly type: "BOOKMARK";
  readonly revision: number;
}

/** Computed objects, with the revision after which a watch goes on. */
export interface ComputedList {
  readonly items: readonly JsonObject[];
  /** The revision of the list; undefined where the source has none. */
  readonly revision?: number;
}

/** The events that a watch of computed objects wants. */
export interface ComputedWatch {
  /** The revision after which events are wanted; undefined for the objects that there are first, as ADDED. */
  readonly afterRevision: number | undefined;
  /** Interval in milliseconds of bookmarks; undefined for a client that wants none. */
  readonly bookmarkIntervalMs: number | undefined;
  /** The signal that aborts when the watch is over. */
  readonly signal: AbortSignal;
}

/** Interval in milliseconds between the bookmarks of a watcher that asked for them, as of stored objects. */
const bookmarkIntervalMs = 60_000;

/** Handles GET of a computed object. `find` is called when the answer can be shown, and throws a StatusError for none. */
export async function respondWithComputed(
  { context, served }: RequestScope,
  find: () => Promise<JsonObject>,
): Promise<void> {
  const representation = objectRepresentation(context, served.form);
  const entry = computedEntry(served, await find());
  await respondWithEntry(context, served, 200, entry, representation);
}

/** Handles GET of a collection of computed objects. `find` returns all of the namespace; selectors are applied here. */
export async function respondWithComputedList(
  { context, served }: RequestScope,
  find: () => Promise<ComputedList>,
): Promise<void> {
  const representation = objectRepresentation(context, served.form);
  const selection = compileSelection(served, parseListOptions(context, served, false, false));
  const { items, revision } = await find();
  const all = items.map((object) => computedEntry(served, object));
  const entries = selection === undefined ? all : all.filter(selection);
  const page = { revision, entries, continueToken: "", remainingItemCount: undefined };
  await respondWithPage(context, served, page, representation);
}

/**
 * Handles a watch of computed objects: sends the events of `follow` until they end, the client goes away, its timeout is
 * over or the server stops; the signal that `follow` gets aborts then. An event that no selector wants is left out, and a
 * bookmark that the client did not ask for.
 */
export async function respondWithComputedEvents(
  { context, served, environment }: RequestScope,
  follow: (watch: ComputedWatch) => AsyncIterable<ComputedEvent | ComputedBookmark>,
): Promise<void> {
  representationFor(context, served.form.offer);
  const options = parseListOptions(context, served, true, false);
  const representation = representationFor(context, served.form.streamOffer);
  const frames = frameWriterFor(
    served,
    representation,
    representation.as === "Table" ? includeObjectOf(context) : "None",
    context.now,
  );
  const selection = compileSelection(served, options);
  const ended = AbortSignal.any([
    context.signal,
    environment.stopping,
    AbortSignal.timeout(Math.floor(watchTimeoutMs(options.timeoutSeconds, environment.minRequestTimeoutMs))),
  ]);
  await openAnswer(context, 200, { "Content-Type": frames.contentType });
  const watchEnded = environment.metrics.longRunningStarted(context);
  try {
    const { allowWatchBookmarks, resourceVersion = 0 } = options;
    const wanted: ComputedWatch = {
      afterRevision: resourceVersion === 0 ? undefined : resourceVersion,
      bookmarkIntervalMs: allowWatchBookmarks ? bookmarkIntervalMs : undefined,
      signal: ended,
    };
    for await (const event of untilAborted(follow(wanted), ended)) {
      if (event.type === "BOOKMARK") {
        if (allowWatchBookmarks) {
          await written(context, frames.bookmark(event.revision, false));
        }
        continue;
      }
      const shown = shownEvent(served, selection, event);
      if (shown !== undefined) {
        const frame = frames.event(shown.type, shown.entry);
        environment.metrics.watchEvents(served, 1, frame.length);
        await written(context, frame);
      }
    }
  } catch (error) {
    const known = error instanceof StatusError ? error : new StatusError(500, "InternalError", "the watch has failed");
    context.exchange.write(frames.error(known.status));
    if (known !== error) {
      environment.reportFault(error);
    }
  } finally {
    watchEnded();
    endStream(context);
  }
}

/** Returns an event as a watcher with these selectors is shown it; undefined for one that does not concern it. */
function shownEvent(
  served: ServedResource,
  selection: Selection,
  { type, object, previous }: ComputedEvent,
): { readonly type: WatchEventType; readonly entry: CacheEntry } | undefined {
  const entry = computedEntry(served, object);
  if (selection === undefined) {
    return { type, entry };
  }
  const has = selection(entry);
  if (type !== "MODIFIED" || previous === undefined) {
    return has ? { type, entry } : undefined;
  }
  const before = computedEntry(served, previous);
  const had = selection(before);
  if (has) {
    return { type: had ? "MODIFIED" : "ADDED", entry };
  }
  return had ? { type: "DELETED", entry: before } : undefined;
}

/** Yields what comes before the signal aborts, and lets go of the source then. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
    }
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next === undefined || next.done === true) {
        return;
      }
      yield next.value;
    }
  } finally {
    // A source that waits for something else than the signal may end when it likes.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Writes a frame. Resolves when the client has room for the next one, or has gone away. */
async function written({ exchange }: RequestContext, frame: Buffer): Promise<void> {
  if (!exchange.write(frame)) {
    await new Promise<void>((resolve) => {
      exchange.whenDrained(resolve);
      exchange.whenClosed(resolve);
    });
  }
}

/** Makes an entry of an object, which gets the kind and version of the resource. */
function computedEntry(served: ServedResource, object: JsonObject): CacheEntry {
  const { namespace = "", name = "" } = metaOf(object);
  const { kind: _kind, apiVersion: _apiVersion, ...members } = object;
  const whole: JsonObject = { kind: served.kind, apiVersion: served.apiVersion, ...members };
  return CacheEntry.of(`${namespace}/${name}`, 0, Buffer.from(encodeJson(served.form.present(whole))));
}
