import { badRequest } from "@gatehouse/envelopes/status";
import { parseQuery } from "@gatehouse/policies/request-info";
import type { Handler, MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { resolveRequestInfo as resolve } from "../request/request-info.js";

const noQuery = new URLSearchParams();

/** Reads the request line once for everybody below. */
export function resolveRequestInfo(context: RequestContext, next: Handler): MaybePromise<void> {
  const url = context.exchange.target;
  const at = url.indexOf("?");
  const rawPath = at < 0 ? url : url.slice(0, at);
  context.query = at < 0 ? noQuery : parseQuery(url.slice(at + 1));
  context.path = rawPath.includes("%") ? decodePath(rawPath) : rawPath;
  context.info = resolve(context.method, context.path, context.query);
  return next(context);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw badRequest("the request path holds an invalid percent-encoding", error);
  }
}
