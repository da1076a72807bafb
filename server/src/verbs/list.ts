import {
  badRequest,
  encodeJson,
  encodeProtobuf,
  expired,
  type JsonObject,
  kindSchema,
  mediaTypes,
  type StatusError,
  tooLargeResourceVersion,
  wrapUnknown,
} from "@gatehouse/envelopes";
import type { ServedResource } from "../catalogue/served-resource.js";
import { listOffer, type Representation } from "../http/negotiation.js";
import { sendBytes, sendJsonBytes, sendJsonChunks, sendObject, wantsPretty } from "../http/responder.js";
import type { RequestContext } from "../request/request-context.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import type { Snapshot } from "../storage/cache/snapshot.js";
import { RevisionCompactedError, RevisionInFutureError } from "../storage/store.js";
import { buildTable } from "../tables/build-table.js";
import { type ContinuePosition, decodeContinueToken, encodeContinueToken } from "./continue-token.js";
import { freshnessTimeoutMs, waitForVersion } from "./get.js";
import { type ItemsToJoin, joinedLength, joinItems } from "./join-items.js";
import { type ListOptions, parseListOptions } from "./list-options.js";
import { includeObjectOf, partialMetadata, representationFor, sendMetaKind } from "./respond.js";
import { compileSelection, type Selection, singleKeyOf } from "./selection.js";
import type { VerbEnvironment } from "./verb-environment.js";

/** One page of a consistent list. */
export interface Page {
  readonly revision: number;
  readonly entries: readonly CacheEntry[];
  readonly continueToken: string;
  /** Undefined where it is not to be told: with selectors, and on the last page. */
  readonly remainingItemCount: number | undefined;
}

/** GET of a collection. */
export async function list(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): Promise<void> {
  const representation = representationFor(context, listOffer);
  const options = parseListOptions(context, served, false, environment.features.enabled("WatchList"));
  const page = await readPage(context, served, options);
  await context.pace();
  await respondWithPage(context, served, page, representation);
}

/** Reads one page of what the options ask for. */
export async function readPage(context: RequestContext, served: ServedResource, options: ListOptions): Promise<Page> {
  const position = options.continueToken === "" ? undefined : continuePosition(options);
  const snapshot = await snapshotFor(context, served, options, position);
  return cutPage(context, served, options, position, snapshot);
}

function continuePosition(options: ListOptions): ContinuePosition {
  if (options.resourceVersion !== undefined && options.resourceVersion !== 0) {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  return decodeContinueToken(options.continueToken);
}

/** The collection at the version that SPEC's table "List" gives for these options. */
async function snapshotFor(
  context: RequestContext,
  served: ServedResource,
  options: ListOptions,
  position: ContinuePosition | undefined,
): Promise<Snapshot> {
  const { storage } = served;
  const { cache } = storage;
  const { resourceVersion, resourceVersionMatch: match } = options;
  if (position !== undefined && position.revision !== 0) {
    return exactSnapshot(context, served, position.revision, position);
  }
  if (position !== undefined || resourceVersion === undefined) {
    await storage.catchUp(context);
    return cache.snapshot();
  }
  await cache.ready();
  if (resourceVersion === 0) {
    return cache.snapshot();
  }
  if (match === "Exact" || (match === undefined && options.limit > 0)) {
    return exactSnapshot(context, served, resourceVersion, undefined);
  }
  await waitForVersion(context, served, resourceVersion);
  return cache.snapshot();
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

/** The client may start again, or take the rest as it is now with the token that comes along. */
function expiredToken(position: ContinuePosition): StatusError {
  return expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
      "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. " +
      "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or " +
      "deleted between the time the first chunk was returned and now may show up in the list.",
    encodeContinueToken({ revision: 0, afterKey: position.afterKey }),
  );
}

function cutPage(
  context: RequestContext,
  served: ServedResource,
  options: ListOptions,
  position: ContinuePosition | undefined,
  snapshot: Snapshot,
): Page {
  const { storage } = served;
  const prefix = storage.prefixOf(context.info.namespace);
  const selection = compileSelection(served, options);
  const afterKey = position === undefined ? undefined : storage.prefix + position.afterKey;
  // A list of one named object need not walk the others.
  const singleKey = singleKeyOf(served, options, { namespace: context.info.namespace, name: undefined });
  const entries = takeEntries(snapshot, singleKey ?? prefix, afterKey, selection, options.limit);
  const more = options.limit > 0 && entries.length > options.limit;
  if (!more) {
    return { revision: snapshot.revision, entries, continueToken: "", remainingItemCount: undefined };
  }
  entries.pop();
  storage.cache.keep(snapshot);
  const lastKey = (entries.at(-1) as CacheEntry).key;
  return {
    revision: snapshot.revision,
    entries,
    continueToken: encodeContinueToken({
      revision: snapshot.revision,
      afterKey: lastKey.slice(storage.prefix.length),
    }),
    remainingItemCount: selection === undefined ? snapshot.count(prefix, lastKey) : undefined,
  };
}

/** Up to one entry more than the limit, which tells that there is another page. */
function takeEntries(
  snapshot: Snapshot,
  prefix: string,
  afterKey: string | undefined,
  selection: Selection,
  limit: number,
): CacheEntry[] {
  return snapshot.take(prefix, afterKey, selection, limit > 0 ? limit + 1 : Number.POSITIVE_INFINITY);
}

/** Answers with a page in the form that the client asked for. */
export function respondWithPage(
  context: RequestContext,
  served: ServedResource,
  page: Page,
  representation: Representation,
): Promise<void> | void {
  if (representation.as === undefined && representation.encoding === "json" && !wantsPretty(context)) {
    return streamJsonList(context, served, page);
  }
  if (representation.as === "Table") {
    const table = buildTable({
      definition: served.table,
      gvk: served,
      objects: page.entries.map((entry) => entry.object()),
      rows: served,
      includeObject: includeObjectOf(context),
      listMeta: listMetaOf(page),
      version: representation.asVersion,
      context: { now: Date.now() },
    });
    return sendObject(context, 200, table, representation.encoding);
  }
  if (representation.as !== undefined) {
    return sendMetaKind(context, 200, metadataList(served, page, representation.asVersion), representation);
  }
  const document = listDocument(served, page);
  if (representation.encoding === "protobuf") {
    return sendBytes(context, 200, mediaTypes.protobuf, encodeList(served, document));
  }
  if (representation.encoding === "json") {
    return sendJsonBytes(context, 200, Buffer.from(encodeJson(document)));
  }
  return sendObject(context, 200, document, representation.encoding);
}

function listMetaOf(page: Page): JsonObject {
  return {
    resourceVersion: String(page.revision),
    ...(page.continueToken === "" ? {} : { continue: page.continueToken }),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
  };
}

function metadataList(served: ServedResource, page: Page, version: string): JsonObject {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetaOf(page),
    items: page.entries.map((entry) => partialMetadata(served.metadataOf(entry.object()), version)),
  };
}

function listDocument(served: ServedResource, page: Page): JsonObject {
  return {
    kind: served.listKind,
    apiVersion: served.apiVersion,
    metadata: listMetaOf(page),
    items: page.entries.map((entry) => {
      const { kind: _kind, apiVersion: _apiVersion, ...rest } = served.objectOf(entry);
      return rest;
    }),
  };
}

function encodeList(served: ServedResource, document: JsonObject): Buffer {
  const kind = kindSchema(served.group, served.version, served.listKind);
  if (kind === undefined) {
    throw new Error(`no schema for ${served.listKind}`);
  }
  return wrapUnknown(served.apiVersion, served.listKind, encodeProtobuf(kind.schema, document));
}

/** Joins the entries' own bytes; nothing is parsed or encoded. */
function streamJsonList(context: RequestContext, served: ServedResource, page: Page): Promise<void> {
  const head = Buffer.from(
    `${encodeJson({ kind: served.listKind, apiVersion: served.apiVersion, metadata: listMetaOf(page) }).slice(0, -1)},"items":[`,
  );
  const items = served.converts ? convertedItems(served, page.entries) : storedItems(page.entries);
  const document = { head, count: page.entries.length, typeMetaLength: served.typeMetaLength, ...items };
  return sendJsonChunks(context, joinItems(document), joinedLength(document));
}

function storedItems(entries: readonly CacheEntry[]): Pick<ItemsToJoin, "lengthAt" | "copyTo"> {
  return {
    lengthAt: (index) => (entries[index] as CacheEntry).length,
    copyTo: (index, target, at, from) => (entries[index] as CacheEntry).copyTo(target, at, from),
  };
}

function convertedItems(
  served: ServedResource,
  entries: readonly CacheEntry[],
): Pick<ItemsToJoin, "lengthAt" | "copyTo"> {
  const items = entries.map((entry) => served.bytesOf(entry));
  return {
    lengthAt: (index) => (items[index] as Buffer).length,
    copyTo: (index, target, at, from) => {
      (items[index] as Buffer).copy(target, at, from);
    },
  };
}
