import { type Authenticator, noOpinion, rejected } from "../authenticator.js";
import { authenticateBearer } from "./bearer-token.js";
import type { TokenAuthenticator } from "./token-authenticator.js";

const protocolPrefix = "base64url.bearer.authorization.k8s.io.";

/**
 * Returns an authenticator by a token that a websocket client names as a subprotocol, since browsers let it set no
 * header. Another protocol, with which the server can answer, must be named beside it.
 */
export function websocketTokenAuthenticator(tokens: TokenAuthenticator): Authenticator {
  return {
    authenticate({ headers }, audiences) {
      if (!isWebsocketRequest(headers)) {
        return noOpinion;
      }
      const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((protocol) => protocol.trim());
      const others = offered.filter((protocol) => !protocol.startsWith(protocolPrefix));
      const encoded = offered.filter((protocol) => protocol.startsWith(protocolPrefix));
      if (encoded.length > 1) {
        return rejected("multiple base64.bearer.authorization tokens specified");
      }
      const token = decodeToken(encoded[0]?.slice(protocolPrefix.length) ?? "");
      if (typeof token !== "string") {
        return rejected(token.fault);
      }
      if (token === "") {
        return noOpinion;
      }
      // An absent header is one protocol without a name for v1.29, too, but no header has no token.
      return others.length === 0
        ? rejected("missing additional subprotocol")
        : authenticateBearer(tokens, token, audiences);
    },
  };
}

/**
 * Returns the protocols without the credential: nothing behind needs it, and it must not be echoed. A header without one stays
 * as it is.
 */
export function withoutTokenProtocol(header: string): string {
  if (!header.includes(protocolPrefix)) {
    return header;
  }
  return header
    .split(",")
    .map((protocol) => protocol.trim())
    .filter((protocol) => !protocol.startsWith(protocolPrefix))
    .join(",");
}

function isWebsocketRequest(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const { connection, upgrade } = headers;
  return (
    /(^|.*,\s*)upgrade($|\s*,)/.test(String(connection ?? "").toLowerCase()) &&
    String(upgrade ?? "").toLowerCase() === "websocket"
  );
}

function decodeToken(encoded: string): string | { readonly fault: string } {
  if (!/^[A-Za-z0-9_-]*$/.test(encoded) || encoded.length % 4 === 1) {
    return { fault: "invalid base64.bearer.authorization token encoding" };
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, "base64url"));
  } catch {
    return { fault: "invalid base64.bearer.authorization token" };
  }
}
