import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import { type ClaimMapping, type Claims, ClaimsError, userOfClaims } from "@gatehouse/component-base/identity-tokens";
import { asOutsider } from "./outside-users.js";
import type { SecretFile } from "./secret-file.js";
import type { TokenSource, TokenVerdict } from "./token-verdict.js";

/** Settings of an introspection server: its address, credentials and claims. */
export interface IntrospectionServer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: SecretFile;
  /** Audiences, one of which a token must be for. */
  readonly audiences: readonly string[];
  readonly certificateAuthorityFile: string | undefined;
  readonly claims: ClaimMapping;
}

/** Options of an introspection source. */
export interface IntrospectionSourceOptions {
  readonly server: IntrospectionServer;
  /** Returns the present in milliseconds since 1970. */
  readonly now: () => number;
  /** Signal that ends all calls. */
  readonly signal: AbortSignal;
}

/** Milliseconds that a call may take; API servers wait for 30 seconds at most. */
const timeoutMs = 10_000;
const maxResponseBytes = 256 * 1024;
/** Largest number of connections; further calls wait for one. */
const maxConnections = 32;
const maxWaiting = 1000;
/** Tolerance for clocks that differ, when a token is not valid yet. */
const notBeforeLeewayMs = 60_000;

/**
 * Opens a source that asks an introspection server about each token (RFC 7662). It keeps connections until it is
 * disposed of.
 */
export function openIntrospectionSource(options: IntrospectionSourceOptions): TokenSource & Disposable {
  const { server, signal } = options;
  const client = createHttpClient({
    config: {
      server: new URL(server.url),
      insecureSkipTlsVerify: false,
      ...(server.certificateAuthorityFile === undefined
        ? {}
        : { certificateAuthorityFile: server.certificateAuthorityFile }),
    },
    maxConnections,
    maxWaiting,
  });
  return {
    async verify(token) {
      const claims = await introspect(client, server, token, signal);
      // RFC 7662: the answer about a token that is not active has no other member, not even its issuer.
      return claims["active"] === true ? verdictOf(options, claims) : undefined;
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}

async function introspect(
  client: HttpClient,
  { url, clientId, clientSecret }: IntrospectionServer,
  token: string,
  signal: AbortSignal,
): Promise<Claims> {
  const secret = await clientSecret.read();
  const { status, body } = await client.request({
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      // RFC 6749, section 2.3.1: both are encoded before they are joined.
      authorization: `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString("base64")}`,
    },
    body: new URLSearchParams({ token, token_type_hint: "access_token" }).toString(),
    signal,
    timeoutMs,
    maxResponseBytes,
    // The request is idempotent, so it may be sent twice.
    idempotent: true,
  });
  const claims = status === 200 ? parseObject(body) : undefined;
  if (claims === undefined) {
    throw new Error(`the introspection server ${url} answers ${status}${status === 200 ? ", but no JSON object" : ""}`);
  }
  return claims;
}

function parseObject(body: Buffer): Claims | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}

function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

function verdictOf({ server, now }: IntrospectionSourceOptions, claims: Claims): TokenVerdict {
  try {
    const nowMs = now();
    const expiresAtMs = timeOf(claims, "exp") ?? Number.POSITIVE_INFINITY;
    if (expiresAtMs <= nowMs) {
      throw new ClaimsError("the token has expired");
    }
    if ((timeOf(claims, "nbf") ?? 0) > nowMs + notBeforeLeewayMs) {
      throw new ClaimsError("the token is not valid yet");
    }
    const held = [claims["aud"]].flat();
    const audiences = server.audiences.filter((audience) => held.includes(audience));
    if (audiences.length === 0) {
      throw new ClaimsError("the token is for none of the audiences that count here");
    }
    return asOutsider({ outcome: "valid", user: userOfClaims(server.claims, claims), audiences, expiresAtMs });
  } catch (error) {
    if (error instanceof ClaimsError) {
      return { outcome: "refused", reason: error.message };
    }
    throw error;
  }
}

/** Returns a time of the claims in milliseconds since 1970; undefined when it is absent. */
function timeOf(claims: Claims, name: string): number | undefined {
  const value = claims[name] ?? undefined;
  if (value !== undefined && typeof value !== "number") {
    throw new ClaimsError(`${name} must be a number`);
  }
  return value === undefined ? undefined : value * 1000;
}
