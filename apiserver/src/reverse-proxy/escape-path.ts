/**
 * Returns a path with escapes as Go writes them: everything but letters, digits and `-_.~$&+,/:;=@`. The path `*` stays.
 */
export function escapePath(path: string): string {
  return path === "*"
    ? path
    : encodeURI(Buffer.from(path).toString()).replace(
        /[!'()*#?[\]]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );
}

/** Joins two paths as Go's `path.Join` does, and keeps a slash at the end of the last one that is not empty. */
export function joinPaths(base: string, path: string): string {
  const parts = [base, path].filter((part) => part !== "");
  if (parts.length === 0) {
    return "";
  }
  return goPathClean(parts.join("/"), parts.at(-1)?.endsWith("/") === true);
}

function goPathClean(path: string, isFolder: boolean): string {
  const isAbsolute = path.startsWith("/");
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") {
      if (kept.length > 0 && kept.at(-1) !== "..") {
        kept.pop();
      } else if (!isAbsolute) {
        kept.push(segment);
      }
    } else if (segment !== "" && segment !== ".") {
      kept.push(segment);
    }
  }
  const text = `${isAbsolute ? "/" : ""}${kept.join("/")}` || ".";
  return isFolder && !text.endsWith("/") ? `${text}/` : text;
}
