import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import { type ClaimMapping, type Claims, ClaimsError, userOfClaims } from "@gatehouse/component-base/identity-tokens";
import { asOutsider } from "./outside-users.js";
import type { SecretFile } from "./secret-file.js";
import type { TokenSource, TokenVerdict } from "./token-verdict.js";

/** A server that is asked about tokens, and what is made of its answers. */
export interface IntrospectionServer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: SecretFile;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  readonly certificateAuthorityFile: string | undefined;
  readonly claims: ClaimMapping;
}

/** What surrounds it. */
export interface IntrospectionSourceOptions {
  readonly server: IntrospectionServer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends all calls. */
  readonly signal: AbortSignal;
}

/** API servers wait for 30 seconds at most. */
const timeoutMs = 10_000;
const maxResponseBytes = 256 * 1024;
/** Further calls wait for one of these. */
const maxConnections = 32;
const maxWaiting = 1000;
/** What clocks may be apart for a token that is not valid yet. */
const notBeforeLeewayMs = 60_000;

/** Asks a server about tokens (RFC 7662), each time that it is asked itself. */
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
      // RFC 7662: of a token that is not active nothing else is told, not even whether it is one of theirs.
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
    // To ask twice changes nothing.
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

/** In milliseconds since 1970. */
function timeOf(claims: Claims, name: string): number | undefined {
  const value = claims[name] ?? undefined;
  if (value !== undefined && typeof value !== "number") {
    throw new ClaimsError(`${name} must be a number`);
  }
  return value === undefined ? undefined : value * 1000;
}
