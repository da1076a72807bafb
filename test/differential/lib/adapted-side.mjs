// What some areas need of a server under test beyond single requests: credentials that differ from server to server, and
// time for what follows a write a moment later.

/**
 * Adapts a server: `{{NAME}}` in headers and text bodies of its requests is replaced by what `secrets` has under NAME, and a
 * request with `afterMs` waits that long before it is sent.
 */
export function adapt(side, secrets = new Map()) {
  const ask = side.request;
  const fill = (text) => text.replace(/\{\{([\w -]+)\}\}/g, (whole, name) => secrets.get(name) ?? whole);
  side.request = async ({ afterMs = 0, headers = {}, body, ...request }) => {
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? fill(value) : value,
    ]);
    return ask({ ...request, headers: Object.fromEntries(filled), body: typeof body === "string" ? fill(body) : body });
  };
  return secrets;
}
