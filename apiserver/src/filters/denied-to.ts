import { goQuote } from "@gatehouse/envelopes/go";
import { forbidden, type StatusError } from "@gatehouse/envelopes/status";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";

/** The attributes of a denied request that its error message mentions. */
export type DeniedInfo = Pick<
  RequestInfo,
  "isResourceRequest" | "path" | "verb" | "group" | "namespace" | "resource" | "subresource" | "name"
>;

/** Returns the 403 for the user of a request, who may not do what `info` says; the request itself by default. */
export function deniedTo(context: RequestContext, reason: string, info: DeniedInfo = context.info): StatusError {
  const { user } = context;
  const access = `User ${goQuote(user.username)} cannot ${describeAccess(info)}`.replaceAll(/[&<>]/g, escaped);
  // As v1.29 has it: the text shows what the client sent, and must not become a page in a browser.
  context.setHeader("X-Content-Type-Options", "nosniff");
  return forbidden(info, info.name, reason === "" ? access : `${access}: ${reason}`);
}

/** Returns a character escaped for HTML. */
export function escaped(character: string): string {
  return character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;";
}

function describeAccess(info: DeniedInfo): string {
  if (!info.isResourceRequest) {
    return `${info.verb} path ${goQuote(info.path)}`;
  }
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const where = info.namespace === "" ? "at the cluster scope" : `in the namespace ${goQuote(info.namespace)}`;
  return `${info.verb} resource ${goQuote(resource)} in API group ${goQuote(info.group)} ${where}`;
}
