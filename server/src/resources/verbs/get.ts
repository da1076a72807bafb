import { notFound, tooLargeResourceVersion } from "@gatehouse/envelopes";
import type { RequestContext } from "../../request/request-context.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import type { ServedResource } from "../served-resource.js";
import { parseResourceVersion } from "./resource-version.js";
import { representationFor, respondWithEntry } from "./respond.js";

/** How long a read waits for a version that has not arrived yet before it answers 504 (as v1.29's watch cache). */
export const freshnessTimeoutMs = 3000;

/** GET of one object (SPEC "Resource version semantics", Get). */
export async function get(context: RequestContext, served: ServedResource): Promise<void> {
  const representation = representationFor(context);
  respondWithEntry(context, served, 200, await readEntry(context, served), representation);
}

/** The entry that the path names, as fresh as the client asks for; 404 without one. */
export async function readEntry(context: RequestContext, served: ServedResource): Promise<CacheEntry> {
  const { storage } = served;
  const asked = context.query.get("resourceVersion");
  if (asked === null || asked === "") {
    await storage.catchUp(context);
  } else {
    await storage.cache.ready();
    await waitForVersion(context, served, parseResourceVersion(asked));
  }
  const { namespace, name } = context.info;
  const entry = storage.cache.get(storage.keyOf(namespace, name));
  if (entry === undefined) {
    throw notFound(served, name);
  }
  return entry;
}

/** Not older than `revision`: waits for it, within reason. */
export async function waitForVersion(context: RequestContext, served: ServedResource, revision: number): Promise<void> {
  const { storage } = served;
  if (revision > storage.cachedRevision && !(await storage.waitFor(revision, context.signal, freshnessTimeoutMs))) {
    throw tooLargeResourceVersion(revision, storage.cachedRevision);
  }
}
