import { escapeGoPath } from "@gatehouse/envelopes/go";
import { asUtf8 } from "../request/as-utf8.js";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import type { AuditedObject } from "./audit-event.js";

const maxUserAgentBytes = 1024;

/** Returns the path and query of a request as v1.29 records them: a path with characters that it may not have is escaped. */
export function recordedUri(target: string): string {
  const at = target.indexOf("?");
  return at < 0 ? escapeGoPath(target) : escapeGoPath(target.slice(0, at)) + target.slice(at);
}

/** Returns the client's user agent, cut after as many bytes as v1.29 keeps. */
export function recordedUserAgent(context: RequestContext): string {
  const agent = context.header("user-agent") ?? "";
  // A header has a character for each byte, until it is decoded.
  return agent.length > maxUserAgentBytes ? `${asUtf8(agent.slice(0, maxUserAgentBytes))}...TRUNCATED` : asUtf8(agent);
}

/**
 * Returns the object of a request. None for paths and for lists and watches, which are for no particular object; v1.29
 * differs, but the API's description agrees.
 */
export function objectOf(info: RequestInfo): AuditedObject | undefined {
  if (!info.isResourceRequest || info.verb === "list" || info.verb === "watch") {
    return undefined;
  }
  const { resource, namespace, name, group, version, subresource } = info;
  return { resource, namespace, name, uid: "", apiGroup: group, apiVersion: version, resourceVersion: "", subresource };
}
