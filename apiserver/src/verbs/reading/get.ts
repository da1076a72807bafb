import { type GroupResource, notFound, tooLargeResourceVersion } from "@gatehouse/envelopes/status";
import type { ServedResource } from "../../registry/served-resource.js";
import type { MaybePromise } from "../../request/handler.js";
import type { RequestContext } from "../../request/request-context.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { awaitStore } from "../await-store.js";
import { keyOfNamed } from "../key-of-named.js";
import type { RequestScope } from "../request-scope.js";
import { parseResourceVersion } from "../resource-version.js";
import { offerOf, representationFor, respondWithEntry } from "../respond.js";

/**
 * Longest wait in milliseconds of a read for a version that has not arrived, before it answers 504 (as v1.29's watch
 * cache).
 */
export const freshnessTimeoutMs = 3000;

/** Handles GET of one object (Kubernetes API concepts, "Resource versions"). */
export function get({ context, served }: RequestScope): MaybePromise<void> {
  const representation = representationFor(context, offerOf(served, context));
  const entry = readEntry(context, served);
  if (entry instanceof Promise) {
    return entry.then((late) => respondWithEntry(context, served, 200, late, representation));
  }
  return respondWithEntry(context, served, 200, entry, representation);
}

/** Returns the entry that the path names, as fresh as the client asks for; 404 of `missing` without one. */
export function readEntry(
  context: RequestContext,
  served: ServedResource,
  missing: GroupResource = served,
): MaybePromise<CacheEntry> {
  const asked = context.query.get("resourceVersion");
  const late = asked === null || asked === "" ? served.storage.catchUp(context) : reachVersion(context, served, asked);
  return late === undefined
    ? findEntry(context, served, missing)
    : awaitStore(context, () => late).then(() => findEntry(context, served, missing));
}

async function reachVersion(context: RequestContext, served: ServedResource, asked: string): Promise<void> {
  const { storage } = served;
  const revision = parseResourceVersion(asked, !storage.hasWatchCache);
  await (storage.hasWatchCache ? storage.cache.ready() : storage.catchUp(context));
  await waitForVersion(context, served, revision);
}

function findEntry(context: RequestContext, served: ServedResource, missing: GroupResource): CacheEntry {
  const { storage } = served;
  const { namespace, name } = context.info;
  const entry = storage.cache.get(keyOfNamed(served, namespace, name));
  if (entry === undefined) {
    throw notFound(missing, name);
  }
  return entry;
}

/** Waits until the cache has seen `revision`, for a limited time, so that a read is not older. */
export async function waitForVersion(context: RequestContext, served: ServedResource, revision: number): Promise<void> {
  const { storage } = served;
  if (revision <= storage.cachedRevision) {
    return;
  }
  if (!storage.hasWatchCache) {
    // The store knows its state at once, and a retry would not help.
    await storage.catchUp(context);
    if (revision > storage.cachedRevision) {
      throw tooLargeResourceVersion(revision, storage.cachedRevision, 0);
    }
  } else if (!(await storage.waitFor(revision, context.signal, freshnessTimeoutMs))) {
    throw tooLargeResourceVersion(revision, storage.cachedRevision);
  }
}
