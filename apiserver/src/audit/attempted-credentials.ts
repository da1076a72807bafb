import type { RequestContext } from "../request/request-context.js";

/** Returns v1.29's message about a failed authentication: the sorts of credentials that the request has. */
export function attemptedCredentials(context: RequestContext): string {
  const authorization = context.header("authorization") ?? "";
  const attempted = [
    ...(hasBasicCredentials(authorization) ? ["basic"] : []),
    ...(/^bearer /i.test(authorization.trim()) ? ["bearer"] : []),
    ...((context.query.get("access_token") ?? "").trim() === "" ? [] : ["access_token"]),
    ...(context.exchange.socket?.getPeerX509Certificate() !== undefined ? ["x509"] : []),
  ];
  return attempted.length === 0
    ? "Authentication failed, no credentials provided"
    : `Authentication failed, attempted: ${attempted.join(", ")}`;
}

/** Reports whether a header has a user and a password in base64. */
function hasBasicCredentials(authorization: string): boolean {
  const encoded = /^basic ([A-Za-z0-9+/]*={0,2})$/i.exec(authorization)?.[1] ?? "";
  return encoded.length % 4 === 0 && Buffer.from(encoded, "base64").includes(":");
}
