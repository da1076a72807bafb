import { asUtf8 } from "../../request/as-utf8.js";
import { type AuthenticationDecision, type Authenticator, noOpinion, rejected } from "../authenticator.js";
import type { TokenAuthenticator } from "./token-authenticator.js";

/** The reason for an unknown token, and the first reason for any invalid one. */
const invalidBearerToken = "invalid bearer token";

/** The decision about a header with more than one space before the token, a common mistake; with v1.29's warning. */
const ignoredForSpaces: AuthenticationDecision = Object.freeze({
  outcome: "noOpinion",
  warning: "the provided Authorization header contains extra space before the bearer token, and is ignored",
});

/** Returns an authenticator by the bearer token in the Authorization header. */
export function bearerTokenAuthenticator(tokens: TokenAuthenticator): Authenticator {
  return {
    authenticate({ headers, socket }, audiences) {
      const authorization = headers.authorization === undefined ? undefined : asUtf8(headers.authorization);
      const token = bearerToken(authorization);
      if (token === undefined) {
        return startsWithSpaces(authorization) ? ignoredForSpaces : noOpinion;
      }
      return authenticateBearer(tokens, token, audiences, socket);
    },
  };
}

/** Asks about a token that was shown: from here on to have no opinion is to refuse it. */
export function authenticateBearer(
  tokens: TokenAuthenticator,
  token: string,
  audiences: readonly string[],
  connection?: object,
): ReturnType<TokenAuthenticator["authenticateToken"]> {
  const decision = tokens.authenticateToken(token, audiences, connection);
  return decision instanceof Promise ? decision.then(refuseUnknown) : refuseUnknown(decision);
}

function refuseUnknown(decision: AuthenticationDecision): AuthenticationDecision {
  switch (decision.outcome) {
    case "authenticated":
      return decision;
    case "rejected":
      return rejected(invalidBearerToken, ...decision.reasons);
    case "noOpinion":
      return rejected(invalidBearerToken);
  }
}

/**
 * Returns the bearer token of an Authorization header, if there is one: preceded by one space, followed by anything
 * after another.
 */
export function bearerToken(header: string | undefined): string | undefined {
  if (header?.startsWith("Bearer ") && header.length > 7 && !header.includes(" ", 7) && !header.includes("\t", 7)) {
    return header.slice(7);
  }
  // Over HTTP/2, blanks after the value are a part of it.
  return header === undefined ? undefined : /^\s*Bearer ([^ ]+)/i.exec(header.trimEnd())?.[1];
}

function startsWithSpaces(header: string | undefined): boolean {
  return header !== undefined && /^\s*Bearer {2,}[^ ]/i.test(header);
}
