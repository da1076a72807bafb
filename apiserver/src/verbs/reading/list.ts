import type { JsonObject } from "@gatehouse/envelopes/json";
import { badRequest, expired, type StatusError, tooLargeResourceVersion } from "@gatehouse/envelopes/status";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";
import { RevisionCompactedError, RevisionInFutureError } from "../../errors/errors.js";
import { sendPieces } from "../../http/answer.js";
import { measureLayer } from "../../http/answer-latency.js";
import { contentTypeOf, type Representation } from "../../http/negotiation.js";
import { wantsPretty } from "../../http/responder.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { RequestContext } from "../../request/request-context.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { keyAfter, type Snapshot } from "../../storage/cache/snapshot.js";
import { awaitStore } from "../await-store.js";
import { type ListOptions, parseListOptions } from "../list-options.js";
import type { RequestScope } from "../request-scope.js";
import { checkListShape, includeObjectOf, objectRepresentation } from "../respond.js";
import { type ContinuePosition, decodeContinueToken, encodeContinueToken } from "./continue-token.js";
import { freshnessTimeoutMs, waitForVersion } from "./get.js";
import { type ListBodyOptions, listBody } from "./list-body.js";
import { recordList } from "./record-list.js";
import { compileSelection, singleKeyOf, takeSelected } from "./selection.js";

/** One page of a consistent list. */
export interface Page {
  /** The version of the collection; undefined for one that is not stored. */
  readonly revision: number | undefined;
  readonly entries: readonly CacheEntry[];
  readonly continueToken: string;
  /** The number of items on later pages; undefined with selectors and on the last page. */
  readonly remainingItemCount: number | undefined;
}

/** Handles GET of a collection. */
export async function list({ environment, context, served }: RequestScope): Promise<void> {
  const representation = objectRepresentation(context, served.form, "List");
  const options = parseListOptions(context, served, false, environment.features.enabled("WatchList"));
  const page = await readPage(context, served, options);
  await respondWithPage(context, served, page, representation);
}

/** Reads one page of what the options ask for. */
export async function readPage(context: RequestContext, served: ServedResource, options: ListOptions): Promise<Page> {
  const position = options.continueToken === "" ? undefined : continuePosition(options);
  const snapshot = await snapshotFor(context, served, options, position);
  return cutPage(context, served, options, position, snapshot);
}

function continuePosition(options: ListOptions): ContinuePosition {
  const position = decodeContinueToken(options.continueToken);
  if (options.resourceVersion !== undefined && options.resourceVersion !== 0) {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  return position;
}

/** Returns the collection at the version that these options ask for (Kubernetes API concepts, "Resource versions"). */
async function snapshotFor(
  context: RequestContext,
  served: ServedResource,
  options: ListOptions,
  position: ContinuePosition | undefined,
): Promise<Snapshot> {
  const { storage } = served;
  const { cache } = storage;
  const { resourceVersion = 0, resourceVersionMatch: match, fromStore } = options;
  if (position?.revision !== undefined) {
    return exactSnapshot(context, served, position.revision, position);
  }
  if (position !== undefined || (fromStore && resourceVersion === 0)) {
    await awaitStore(context, async () => storage.catchUp(context));
    return cache.snapshot();
  }
  // With a limit and no match, the version is exact, but not in a list of one named object, in which there are no pages.
  const isExact =
    match === "Exact" || (match === undefined && options.limit > 0 && !isOfOneName(context, served, options));
  if (fromStore && !isExact) {
    // The store has no other versions than those that the cache has now: there is nothing to wait for.
    await awaitStore(context, async () => storage.catchUp(context));
    if (resourceVersion > storage.cachedRevision) {
      throw tooLargeResourceVersion(resourceVersion, storage.cachedRevision, 0);
    }
    return cache.snapshot();
  }
  if (fromStore) {
    return exactSnapshot(context, served, resourceVersion, undefined);
  }
  await cache.ready();
  await waitForVersion(context, served, resourceVersion);
  return cache.snapshot();
}

function isOfOneName({ info }: RequestContext, served: ServedResource, options: ListOptions): boolean {
  return singleKeyOf(served, options, { namespace: info.namespace, name: undefined }) !== undefined;
}

async function exactSnapshot(
  context: RequestContext,
  served: ServedResource,
  revision: number,
  position: ContinuePosition | undefined,
): Promise<Snapshot> {
  const { storage } = served;
  await storage.cache.ready();
  if (revision > storage.cachedRevision && !(await storage.waitFor(revision, context.signal, freshnessTimeoutMs))) {
    throw tooLargeResourceVersion(revision, storage.cachedRevision);
  }
  try {
    return await storage.cache.snapshotAt(revision);
  } catch (error) {
    if (error instanceof RevisionCompactedError) {
      throw position === undefined
        ? expired("The resourceVersion for the provided list is too old.")
        : expiredToken(position);
    }
    if (error instanceof RevisionInFutureError) {
      throw tooLargeResourceVersion(revision, error.currentRevision);
    }
    throw error;
  }
}

/**
 * Makes the 410 error of an expired token: the client may start again, or continue at the newest version with the new
 * token.
 */
function expiredToken(position: ContinuePosition): StatusError {
  return expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
      "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. " +
      "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or " +
      "deleted between the time the first chunk was returned and now may show up in the list.",
    encodeContinueToken({ revision: undefined, fromKey: position.fromKey }),
  );
}

async function cutPage(
  context: RequestContext,
  served: ServedResource,
  options: ListOptions,
  position: ContinuePosition | undefined,
  snapshot: Snapshot,
): Promise<Page> {
  const { storage } = served;
  const prefix = storage.prefixOf(namespaceOf(context, served, options));
  const selection = compileSelection(served, options);
  const fromKey = position === undefined ? undefined : prefix + position.fromKey;
  // A list of one named object need not walk the others.
  const singleKey = singleKeyOf(served, options, { namespace: context.info.namespace, name: undefined });
  const max = options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY;
  const range = { prefix: singleKey ?? prefix, fromKey };
  const entries = await takeSelected(snapshot, range, selection, max, context);
  const { metrics } = storage.cache;
  if (metrics !== undefined) {
    const looked = selection === undefined ? entries.length : countLooked(snapshot, range, entries, max);
    metrics.cacheList(looked, entries.length);
  }
  const last = entries.length === max ? entries.at(-1) : undefined;
  const nextKey = last === undefined ? "" : keyAfter(last.key);
  // The selectors are not applied to the rest: as in v1.29 the last page may be empty.
  const more = last !== undefined && singleKey === undefined && snapshot.take(prefix, nextKey, 1).length > 0;
  if (!more) {
    return { revision: snapshot.revision, entries, continueToken: "", remainingItemCount: undefined };
  }
  storage.cache.keep(snapshot);
  return {
    revision: snapshot.revision,
    entries,
    continueToken: encodeContinueToken({ revision: snapshot.revision, fromKey: nextKey.slice(prefix.length) }),
    remainingItemCount: selection === undefined ? snapshot.count(prefix, nextKey) : undefined,
  };
}

/**
 * Returns the namespace whose objects a list can hold: that of the path, or the one that the field selector names; empty
 * for all. As in v1.29, tokens lead to places within it.
 */
function namespaceOf({ info }: RequestContext, served: ServedResource, { fieldSelector }: ListOptions): string {
  if (info.namespace !== "" || !served.namespaced) {
    return info.namespace;
  }
  const selected = fieldSelector?.exactValue("metadata.namespace") ?? "";
  return validateDns1123Label(selected).length === 0 ? selected : "";
}

/** Returns the number of objects that a selection was tested on. */
function countLooked(
  snapshot: Snapshot,
  { prefix, fromKey }: { readonly prefix: string; readonly fromKey: string | undefined },
  entries: readonly CacheEntry[],
  max: number,
): number {
  const all = snapshot.count(prefix, fromKey);
  const last = entries.length === max ? entries.at(-1) : undefined;
  return last === undefined ? all : all - snapshot.count(prefix, keyAfter(last.key));
}

/** Answers with a page in the form that the client asked for. */
export async function respondWithPage(
  context: RequestContext,
  served: ServedResource,
  page: Page,
  representation: Representation,
): Promise<void> {
  checkListShape(representation, served.form);
  await measureLayer(context, "transform-response-object", () => served.form.prepare(page.entries, context));
  const options: ListBodyOptions = {
    served,
    entries: page.entries,
    listMeta: listMetaOf(page),
    representation,
    includeObject: representation.as === "Table" ? includeObjectOf(context) : "None",
    pretty: wantsPretty(context),
    nowMs: context.now(),
    context,
  };
  if (context.audit?.recordsResponse === true) {
    await recordList(context.audit, options);
  }
  const body = listBody(options);
  return sendPieces(context, 200, { "Content-Type": contentTypeOf[representation.encoding] }, body);
}

function listMetaOf(page: Page): JsonObject {
  return {
    ...(page.revision === undefined ? {} : { resourceVersion: String(page.revision) }),
    ...(page.continueToken === "" ? {} : { continue: page.continueToken }),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
  };
}
