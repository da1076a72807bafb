/**
 * Returns the problem of a path that is not a non-resource URL; undefined for a valid one, such as a prefix followed by
 * `*`.
 */
export function nonResourceUrlProblem(url: string): string | undefined {
  if (url === "") {
    return "must not be empty";
  }
  if (url === "/") {
    return undefined;
  }
  if (!url.startsWith("/")) {
    return "must start with slash";
  }
  if (url.includes(" ")) {
    return "must not contain white-space";
  }
  if (url.includes("//")) {
    return "must not contain double slash";
  }
  const star = url.indexOf("*");
  return star < 0 || (star === url.length - 1 && url.endsWith("/*"))
    ? undefined
    : "wildcard can only do suffix matching";
}
