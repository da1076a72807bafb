import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import type { AuditedObject } from "./audit-event.js";

const maxUserAgentBytes = 1024;

/** Returns the client's user agent, cut where v1.29 cuts it. Headers are one byte a character. */
export function recordedUserAgent(context: RequestContext): string {
  const agent = context.header("user-agent") ?? "";
  return agent.length > maxUserAgentBytes ? `${agent.slice(0, maxUserAgentBytes)}...TRUNCATED` : agent;
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
