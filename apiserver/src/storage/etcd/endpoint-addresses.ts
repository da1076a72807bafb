import type { EndpointAddress } from "./endpoint.js";

/** Returns the address of a URL as `--etcd-servers` has it: `http`, `https` or `unix`. Throws TypeError for any other. */
export function parseEndpoint(url: string): EndpointAddress {
  if (url.startsWith("unix:")) {
    return { url, address: { socketPath: url.slice("unix:".length).replace(/^\/\/(?=\/)/, "") }, isSecure: false };
  }
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new TypeError(`${JSON.stringify(url)} is not a URL`);
  }
  const { protocol, hostname, port, username, password, pathname, search, hash } = parsed;
  if (protocol !== "http:" && protocol !== "https:") {
    throw new TypeError(`${JSON.stringify(url)} must start with http://, https:// or unix:`);
  }
  if (username !== "" || password !== "" || (pathname !== "" && pathname !== "/") || search !== "" || hash !== "") {
    throw new TypeError("an etcd server is given by scheme, host and port alone");
  }
  const isSecure = protocol === "https:";
  const defaultPort = isSecure ? 443 : 80;
  const host = hostname.replace(/^\[|\]$/g, "");
  return { url, address: { host, port: port === "" ? defaultPort : Number(port) }, isSecure };
}
