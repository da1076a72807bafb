import { SelectorError } from "@gatehouse/envelopes/errors";
import { parseFieldSelector, parseInt64, parseLabelSelector } from "@gatehouse/envelopes/selectors";

/**
 * The attributes of a request, read from its method, path and query alone. Authorization, audit and dispatch all use
 * them.
 */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** Decoded path. */
  readonly path: string;
  /**
   * The verb: get, list, watch, create, update, patch, delete, deletecollection; the lower-case method for other paths.
   */
  readonly verb: string;
  /** The prefix `api` or `apis`. It and all members below are empty when this is not a resource request. */
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The segments of the path after the version. */
  readonly parts: readonly string[];
  /** The segments after resource, name and subresource, as proxy paths have. */
  readonly rest: string;
}

/** Verbs by HTTP method. A map, because HTTP/2 clients may send any word as their method, such as `constructor`. */
const verbByMethod: ReadonlyMap<string, string> = new Map([
  ["GET", "get"],
  ["HEAD", "get"],
  ["POST", "create"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

/** Subresources of a namespace itself: `/namespaces/x/status` is not a resource named `status` inside x. */
const namespaceSubresources = new Set(["status", "finalize"]);

const noParts: readonly string[] = [];

/** Reads a request line. `path` is decoded, `query` is what follows the question mark. */
export function resolveRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = splitPath(path);
  const prefix = segments[0];
  const groupless = prefix === "api";
  const versionAt = groupless ? 1 : 2;
  if ((!groupless && prefix !== "apis") || segments.length <= versionAt + 1) {
    return nonResource(method, path);
  }
  const group = groupless ? "" : (segments[1] as string);
  const version = segments[versionAt] as string;
  let parts = segments.slice(versionAt + 1);
  let verb = verbByMethod.get(method) ?? "";
  if (parts[0] === "watch" || parts[0] === "proxy") {
    if (parts.length < 2) {
      return nonResource(method, path);
    }
    verb = parts[0];
    parts = parts.slice(1);
  }
  let namespace = "";
  let resourceParts = parts;
  if (parts[0] === "namespaces" && parts.length > 1) {
    namespace = parts[1] as string;
    if (parts.length > 2 && !namespaceSubresources.has(parts[2] as string)) {
      resourceParts = parts.slice(2);
    }
  }
  let name = resourceParts[1] ?? "";
  if (name === "" && verb === "get") {
    verb = isTrue(query.get("watch")) ? "watch" : "list";
    name = demandedName(query);
  } else if (name === "" && verb === "delete") {
    verb = "deletecollection";
  }
  return {
    isResourceRequest: true,
    path,
    verb,
    apiPrefix: prefix as string,
    group,
    version,
    namespace,
    resource: resourceParts[0] ?? "",
    // What is behind the name in a path of `/proxy/` belongs to the server behind, and is no subresource.
    subresource: verb === "proxy" ? "" : (resourceParts[2] ?? ""),
    name,
    parts: resourceParts,
    rest: resourceParts.length > 3 ? resourceParts.slice(3).join("/") : "",
  };
}

/** The value until the request line has been read, and if that fails. */
export const unresolvedRequest: RequestInfo = Object.freeze(nonResource("", ""));

function nonResource(method: string, path: string): RequestInfo {
  return {
    isResourceRequest: false,
    path,
    verb: method.toLowerCase(),
    apiPrefix: "",
    group: "",
    version: "",
    namespace: "",
    resource: "",
    subresource: "",
    name: "",
    parts: noParts,
    rest: "",
  };
}

function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 47) {
    start++;
  }
  while (end > start && path.charCodeAt(end - 1) === 47) {
    end--;
  }
  const segments: string[] = [];
  while (start < end) {
    const slash = path.indexOf("/", start);
    const next = slash < 0 || slash > end ? end : slash;
    segments.push(path.slice(start, next));
    start = next + 1;
  }
  return segments;
}

/** Parses a boolean query parameter: present without a value counts as true, `0` and `false` as false. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

/** Options of lists that are 64-bit integers. */
const integerOptions = ["limit", "timeoutSeconds"];

/** Characters of selectors that are read here, before anybody knows who is asking. */
const maxSelectorLength = 16_384;

/**
 * Returns the name that a list or watch demands of its objects, if it can be that of an object, else an empty text. It is
 * authorized for that name, unless one of its options cannot be read (v1.29), or its selectors are too long to be read for
 * anybody.
 */
function demandedName(query: URLSearchParams): string {
  const selector = query.get("fieldSelector") ?? "";
  const labels = query.get("labelSelector") ?? "";
  if (!selector.includes("metadata.name") || selector.length + labels.length > maxSelectorLength) {
    return "";
  }
  if (integerOptions.some((option) => parseInt64(query.get(option) ?? "0") === undefined)) {
    return "";
  }
  try {
    parseLabelSelector(labels);
    const name = parseFieldSelector(selector).exactValue("metadata.name") ?? "";
    return name === "." || name === ".." || /[/%]/.test(name) ? "" : name;
  } catch (error) {
    if (error instanceof SelectorError) {
      return "";
    }
    throw error;
  }
}
