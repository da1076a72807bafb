import type { RequestContext } from "@gatehouse/apiserver/request";

/**
 * Returns path and query for another server, written anew from what this server has read: a spelling that the other one
 * reads differently would be authorized as one request and carried out as another.
 */
export function forwardedTarget({ path, query }: Pick<RequestContext, "path" | "query">): string {
  const search = query.toString();
  return search === "" ? escapedPath(path) : `${escapedPath(path)}?${search}`;
}

/** Escapes a path as Go's `URL.EscapedPath` does for one that was not sent in another spelling. */
export function escapedPath(path: string): string {
  if (/^[A-Za-z0-9\-._~/]*$/.test(path)) {
    return path;
  }
  return encodeURI(path).replaceAll(
    /[?#!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
