import { parseQuery } from "../request-info/parse-query.js";
import { type RequestInfo, resolveRequestInfo } from "../request-info/request-info.js";

/** The user of a request, as far as a policy considers it. */
export interface AuditedUser {
  readonly username: string;
  readonly groups: readonly string[];
}

/** The part of a request line that a policy considers: the service verb, and a resource or else a decoded path. */
export type AuditedRequest = Pick<
  RequestInfo,
  "isResourceRequest" | "verb" | "path" | "group" | "resource" | "subresource" | "namespace" | "name"
>;

/** The input of a policy. */
export interface AuditAttributes {
  /** The authenticated user, not an impersonated one; undefined if authentication failed. */
  readonly user: AuditedUser | undefined;
  readonly request: AuditedRequest;
}

/** The members of a recorded event (audit/v1 Event) that identify the user and the request. */
export interface AttributedEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username?: string; readonly groups?: readonly string[] };
}

/**
 * Returns the attributes of a recorded event, so that a policy decides about it as about its request. They are read
 * from the URL: objectRef is not set for lists, and completed from the body of a write. An event without user is that
 * of a failed authentication.
 */
export function auditAttributesOf({ verb, requestURI, user }: AttributedEvent): AuditAttributes {
  const { username = "", groups = [] } = user;
  return { user: username === "" ? undefined : { username, groups }, request: requestOf(verb, requestURI) };
}

/**
 * HTTP methods by service verb. The method decides whether a path without a name is listed, and whether a selector
 * names one.
 */
const methodByVerb: ReadonlyMap<string, string> = new Map([
  // Methods that no service verb belongs to.
  ["", "OPTIONS"],
  ["create", "POST"],
  ["update", "PUT"],
  ["patch", "PATCH"],
  ["delete", "DELETE"],
  ["deletecollection", "DELETE"],
]);

function requestOf(verb: string, uri: string): AuditedRequest {
  const at = uri.indexOf("?");
  const path = decode(at < 0 ? uri : uri.slice(0, at));
  const query = parseQuery(at < 0 ? "" : uri.slice(at + 1));
  const { isResourceRequest, group, resource, subresource, namespace, name } = resolveRequestInfo(
    methodByVerb.get(verb) ?? "GET",
    path,
    query,
  );
  return { isResourceRequest, verb, path, group, resource, subresource, namespace, name };
}

function decode(path: string): string {
  if (!path.includes("%")) {
    return path;
  }
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
