import type { auditV1 } from "@gatehouse/envelopes";

/** One thing that a request asked to be allowed to do, as an RBAC rule would have to name it. */
export type RequestedAccess = ResourceAccess | PathAccess;

/** A verb on a resource. */
export interface ResourceAccess {
  readonly verb: string;
  readonly apiGroup: string;
  /** Plural name, followed by `/` and the subresource if there is one. */
  readonly resource: string;
  /** Empty for what lies in no namespace, and for requests across all of them. */
  readonly namespace: string;
  /** Empty where the authorizer was told no name: lists, creations. */
  readonly name: string;
}

/** A verb on a path that is no resource. */
export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

/** Subresources of a namespace itself: `/namespaces/x/status` is not a resource named `status` inside x. */
const namespaceSubresources = new Set(["status", "finalize"]);
/** Older forms of paths, in which the verb comes first. */
const verbSegments = new Set(["watch", "proxy"]);
const listVerbs = new Set(["list", "watch", "deletecollection"]);

/** Whether an access is to a path, not to a resource. */
export function isPathAccess(access: RequestedAccess): access is PathAccess {
  return "path" in access;
}

/**
 * What the request of an event needed to be allowed. Read from the URL rather than from `objectRef`, since that is what
 * was authorized: `objectRef` is absent from lists of some servers, and holds the name of a created object, which no
 * rule can ask for.
 */
export function requestedAccess(event: auditV1.Event): RequestedAccess {
  const { verb, requestURI } = event;
  const at = requestURI.indexOf("?");
  const path = decode(at < 0 ? requestURI : requestURI.slice(0, at));
  const segments = path.split("/").filter((segment) => segment !== "");
  const isGroupless = segments[0] === "api";
  const versionAt = isGroupless ? 1 : 2;
  if ((!isGroupless && segments[0] !== "apis") || segments.length <= versionAt + 1) {
    return { verb, path };
  }
  let parts = segments.slice(versionAt + 1);
  if (parts.length > 1 && verbSegments.has(parts[0] ?? "")) {
    parts = parts.slice(1);
  }
  let namespace = "";
  if (parts[0] === "namespaces" && parts[1] !== undefined) {
    namespace = parts[1];
    if (parts[2] !== undefined && !namespaceSubresources.has(parts[2])) {
      parts = parts.slice(2);
    }
  }
  const [resource = "", segmentName = "", subresource] = parts;
  const name =
    segmentName !== "" || !listVerbs.has(verb) || at < 0 ? segmentName : selectedName(requestURI.slice(at + 1));
  const apiGroup = isGroupless ? "" : (segments[1] ?? "");
  return {
    verb,
    apiGroup,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    name,
  };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A list that can match one name only is authorized for that name. */
function selectedName(query: string): string {
  const selector = new URLSearchParams(query).get("fieldSelector") ?? "";
  return /(?:^|,)metadata\.name==?([^,=!\\/%]+)(?:,|$)/.exec(selector)?.[1] ?? "";
}
