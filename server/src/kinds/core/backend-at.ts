import type { Backend } from "@gatehouse/apiserver/reverse-proxy";
import { goQuote } from "@gatehouse/envelopes/go";
import { badRequest } from "@gatehouse/envelopes/status";

/**
 * Returns the backend that a proxy path means: http unless it says otherwise, at the port that its scheme implies if it has
 * none. Throws 400 for a port that is no number of a port; v1.29 breaks the connection off there.
 */
export function backendAt(scheme: string, host: string, port: string): Backend {
  const isSecure = scheme === "https";
  if (port !== "" && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw badRequest(`invalid port ${goQuote(port)}`);
  }
  return {
    scheme: isSecure ? "https" : "http",
    host,
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
  };
}
