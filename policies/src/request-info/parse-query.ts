const misshapen = /;|%(?![0-9A-Fa-f]{2})/;

/**
 * The query of a URL, without its `?`, as v1.29 reads it: pairs that hold a semicolon, or a percent sign that begins no
 * escape, are left out as if they had not been sent.
 */
export function parseQuery(text: string): URLSearchParams {
  if (!misshapen.test(text)) {
    return new URLSearchParams(text);
  }
  const pairs = text.split("&").filter((pair) => !misshapen.test(pair));
  return new URLSearchParams(pairs.join("&"));
}
