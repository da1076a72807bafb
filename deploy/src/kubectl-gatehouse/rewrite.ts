import { CommandError } from "@gatehouse/component-base/errors";
import type { HttpCaller } from "@gatehouse/component-base/http-client";
import { type ListedObject, messageOf, rewriteObject } from "./rewrite-object.js";
import type { RewritePosition } from "./rewrite-position.js";
import type { RewrittenResource } from "./rewrite-resources.js";

/** Numbers of objects by outcome. */
export interface RewriteSummary {
  rewritten: number;
  current: number;
  gone: number;
  failed: number;
}

/** The server, limits and callbacks of a rewrite. */
export interface RewriteOptions {
  readonly client: HttpCaller;
  readonly position: RewritePosition;
  /** Number of objects that are written side by side. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called with the number of objects of a resource as its list begins. */
  readonly onTotal: (resource: string, total: number) => void;
  readonly onDone: (count: number) => void;
  readonly onFailure: (resource: string, key: string, reason: string) => void;
}

interface Page {
  readonly objects: readonly ListedObject[];
  readonly remaining: number;
  readonly next: string;
}

const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const pageSize = 500;
const timeoutMs = 60_000;
const maxPageBytes = 64 * 1024 * 1024;

/**
 * Rewrites the objects of a resource that an earlier rewrite has not done, page by page in the order of the store. Rejects
 * when they cannot be listed.
 */
export async function rewriteResource(resource: RewrittenResource, options: RewriteOptions): Promise<RewriteSummary> {
  const { position, onTotal, onDone } = options;
  const summary: RewriteSummary = { rewritten: 0, current: 0, gone: 0, failed: 0 };
  let next: string | undefined = "";
  let isFirst = true;
  while (next !== undefined) {
    const page: Page | "expired" = await listPage(resource, next, options);
    if (page === "expired") {
      // What is done is skipped in the new list.
      next = "";
      continue;
    }
    if (isFirst) {
      onTotal(resource.name, page.objects.length + page.remaining);
      isFirst = false;
    }
    const left = page.objects.filter((object) => !position.isDone(resource.name, keyOf(object)));
    onDone(page.objects.length - left.length);
    await rewriteAll(resource, left, summary, options);
    next = page.next === "" ? undefined : page.next;
    const last = page.objects.at(-1);
    // What has failed is tried again when the rewrite goes on.
    if (last !== undefined && left.length > 0 && summary.failed === 0) {
      await position.advance(resource.name, keyOf(last));
    }
  }
  if (summary.failed === 0) {
    await position.advance(resource.name);
  }
  return summary;
}

/** Rewrites objects, so many side by side. */
async function rewriteAll(
  resource: RewrittenResource,
  objects: readonly ListedObject[],
  summary: RewriteSummary,
  { client, concurrency, signal, onDone, onFailure }: RewriteOptions,
): Promise<void> {
  const waiting = objects.values();
  const work = async (): Promise<void> => {
    for (const object of waiting) {
      const outcome = await rewriteObject(client, resource, object, signal);
      if (typeof outcome === "string") {
        summary[outcome]++;
      } else {
        summary.failed++;
        onFailure(resource.name, keyOf(object), outcome.failure);
      }
      onDone(1);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function listPage(
  { path, name }: RewrittenResource,
  next: string,
  { client, signal }: RewriteOptions,
): Promise<Page | "expired"> {
  const query = new URLSearchParams({ limit: String(pageSize), ...(next === "" ? {} : { continue: next }) });
  const { status, body } = await client.requestJson({
    path: `${path}?${query}`,
    headers: { accept },
    signal,
    timeoutMs,
    maxResponseBytes: maxPageBytes,
  });
  if (status === 410 && next !== "") {
    return "expired";
  }
  if (status !== 200) {
    throw new CommandError(`${name} cannot be listed: ${messageOf(status, body)}`);
  }
  const { items = [], metadata = {} } = body as {
    readonly items?: readonly { readonly metadata: Partial<ListedObject> }[];
    readonly metadata?: { readonly continue?: string; readonly remainingItemCount?: number };
  };
  return {
    objects: items.map(({ metadata: { namespace = "", name: objectName = "", resourceVersion = "" } }) => ({
      namespace,
      name: objectName,
      resourceVersion,
    })),
    remaining: metadata.remainingItemCount ?? 0,
    next: metadata.continue ?? "",
  };
}

/** Returns the part of an object's key in the store that follows its resource: keys are listed in its order. */
function keyOf({ namespace, name }: ListedObject): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
