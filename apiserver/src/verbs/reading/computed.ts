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
import { compileSelection } from "./selection.js";
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
}

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
  find: () => Promise<readonly JsonObject[]>,
): Promise<void> {
  const representation = objectRepresentation(context, served.form);
  const selection = compileSelection(served, parseListOptions(context, served, false, false));
  const all = (await find()).map((object) => computedEntry(served, object));
  const entries = selection === undefined ? all : all.filter(selection);
  const page = { revision: undefined, entries, continueToken: "", remainingItemCount: undefined };
  await respondWithPage(context, served, page, representation);
}

/**
 * Handles a watch of computed objects: sends the events of `follow` until they end, the client goes away, its timeout is
 * over or the server stops; the signal that `follow` gets aborts then. An event that no selector wants is left out.
 */
export async function respondWithComputedEvents(
  { context, served, environment }: RequestScope,
  follow: (signal: AbortSignal) => AsyncIterable<ComputedEvent>,
): Promise<void> {
  representationFor(context, served.form.offer);
  const options = parseListOptions(context, served, true, false);
  const representation = representationFor(context, served.form.streamOffer);
  const frames = frameWriterFor(
    served,
    representation,
    representation.as === "Table" ? includeObjectOf(context) : "None",
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
    for await (const { type, object } of untilAborted(follow(ended), ended)) {
      const entry = computedEntry(served, object);
      if (selection === undefined || selection(entry)) {
        const frame = frames.event(type, entry);
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
