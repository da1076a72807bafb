import type { RequestContext } from "../request/request-context.js";

/** Validators of one state of a document (RFC 9110, section 8.8). */
export interface Validators {
  /** The entity tag, with quotes. */
  readonly ETag?: string;
  /** The time of the last change as an HTTP date. */
  readonly "Last-Modified"?: string;
}

/** The outcome of a request's preconditions: an answer, 304 or 412. */
export type PreconditionOutcome = "proceed" | "notModified" | "failed";

/** Evaluates the preconditions of a request in the order of RFC 9110, section 13.2.2. */
export function evaluatePreconditions(context: RequestContext, validators: Validators): PreconditionOutcome {
  const lastModified = validators["Last-Modified"];
  const ifMatch = context.header("if-match");
  const ifUnmodifiedSince = context.header("if-unmodified-since");
  if (ifMatch !== undefined) {
    if (!matchesEtag(ifMatch, validators.ETag)) {
      return "failed";
    }
  } else if (ifUnmodifiedSince !== undefined && isLater(lastModified, ifUnmodifiedSince)) {
    return "failed";
  }
  const isRead = context.method === "GET" || context.method === "HEAD";
  const ifNoneMatch = context.header("if-none-match");
  if (ifNoneMatch !== undefined) {
    return !matchesEtag(ifNoneMatch, validators.ETag) ? "proceed" : isRead ? "notModified" : "failed";
  }
  const ifModifiedSince = context.header("if-modified-since");
  const isKnown =
    isRead && ifModifiedSince !== undefined && isDate(ifModifiedSince) && isDate(lastModified)
      ? !isLater(lastModified, ifModifiedSince)
      : false;
  return isKnown ? "notModified" : "proceed";
}

/**
 * Reports whether a range may be sent to a client that has another part: If-Range is absent or names this very state.
 */
export function mayContinue(context: RequestContext, validators: Validators): boolean {
  const condition = context.header("if-range");
  return condition === undefined || condition === validators.ETag || condition === validators["Last-Modified"];
}

/** Reports whether a condition matches: `*`, or a list of entity tags compared weakly. */
function matchesEtag(condition: string, etag: string | undefined): boolean {
  return condition.split(",").some((item) => {
    const tag = item.trim();
    return tag === "*" || (etag !== undefined && (tag === etag || tag === `W/${etag}`));
  });
}

function isDate(text: string | undefined): text is string {
  return text !== undefined && !Number.isNaN(Date.parse(text));
}

/** Compares two HTTP dates; false if one of them is no date. */
function isLater(date: string | undefined, than: string): boolean {
  return isDate(date) && Date.parse(date) > Date.parse(than);
}
