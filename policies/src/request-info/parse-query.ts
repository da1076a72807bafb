const misshapen = /;|%(?![0-9A-Fa-f]{2})/;

/**
 * Parses the query of a URL, without its `?`, as v1.29 does: pairs with a semicolon, or with a percent sign that begins
 * no escape, are ignored.
 */
export function parseQuery(text: string): URLSearchParams {
  if (!misshapen.test(text)) {
    return new URLSearchParams(text);
  }
  const pairs = text.split("&").filter((pair) => !misshapen.test(pair));
  return new URLSearchParams(pairs.join("&"));
}
