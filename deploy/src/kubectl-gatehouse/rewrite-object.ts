import { HttpClientError } from "@gatehouse/component-base/errors";
import type { HttpCaller } from "@gatehouse/component-base/http-client";
import { pause } from "@gatehouse/component-base/time";
import type { RewrittenResource } from "./rewrite-resources.js";

/** An object to be rewritten, at the version that the list has told. */
export interface ListedObject {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/** The outcome for one object: written, in its newest form before, deleted meanwhile, or the reason of a failure. */
export type RewriteOutcome = "rewritten" | "current" | "gone" | { readonly failure: string };

const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const timeoutMs = 60_000;
const maxTries = 6;
const firstPauseMs = 200;
/** Answers after which the same request may succeed. */
const passing: ReadonlySet<number> = new Set([409, 429, 500, 502, 503, 504]);

/**
 * Has the server write an object anew, by a patch that changes nothing: it is written only if its form at rest is an older
 * one. The content of the object is not sent in either direction. What may pass is tried again.
 */
export async function rewriteObject(
  client: HttpCaller,
  resource: RewrittenResource,
  object: ListedObject,
  signal: AbortSignal,
): Promise<RewriteOutcome> {
  let failure = "";
  for (let tries = 0; tries < maxTries; tries++) {
    if (tries > 0) {
      await pause(firstPauseMs * 2 ** (tries - 1), signal);
    }
    signal.throwIfAborted();
    const answer = await patch(client, pathOf(resource, object), signal);
    if (typeof answer === "string") {
      failure = answer;
      continue;
    }
    const { status, body } = answer;
    if (status === 200) {
      const { metadata } = body as { readonly metadata?: { readonly resourceVersion?: string } };
      return metadata?.resourceVersion === object.resourceVersion ? "current" : "rewritten";
    }
    if (status === 404) {
      return "gone";
    }
    failure = messageOf(status, body);
    if (!passing.has(status)) {
      break;
    }
  }
  return { failure };
}

/** Sends the patch; returns the reason when no answer came. */
async function patch(
  client: HttpCaller,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: unknown } | string> {
  const headers = { accept, "content-type": "application/merge-patch+json" };
  try {
    return await client.requestJson({ method: "PATCH", path, headers, body: {}, signal, timeoutMs, idempotent: true });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HttpClientError) {
      return error.message;
    }
    throw error;
  }
}

function pathOf({ path, isNamespaced }: RewrittenResource, { namespace, name }: ListedObject): string {
  const slash = path.lastIndexOf("/");
  const folder = isNamespaced
    ? `${path.slice(0, slash)}/namespaces/${encodeURIComponent(namespace)}`
    : path.slice(0, slash);
  return `${folder}${path.slice(slash)}/${encodeURIComponent(name)}`;
}

/** Returns the message of an answer that is a Status. */
export function messageOf(status: number, body: unknown): string {
  const { message } = (body ?? {}) as { readonly message?: unknown };
  return typeof message === "string" && message !== "" ? message : `the server answers ${status}`;
}
