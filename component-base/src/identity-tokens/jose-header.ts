import { createPublicKey, X509Certificate } from "node:crypto";
import { parseJson } from "@gatehouse/envelopes/codec";
import { goQuote } from "@gatehouse/envelopes/go";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { ClaimsError, cannotUnmarshal } from "./go-claims.js";

/** The header of a signed token, as far as it is about the signature. */
export interface JoseHeader {
  /** Name of the algorithm; empty if the header has none. */
  readonly algorithm: string;
  readonly keyId: string;
  /** True if the signature is that of the payload in base64url, as the compact form needs (RFC 7797). */
  readonly isPayloadEncoded: boolean;
}

/**
 * The header of a JWS in its compact form, read as strictly as v1.29 reads it: each part is base64url without padding, nothing
 * is said twice, and what concerns keys is well-formed, though none of it is believed. Throws ClaimsError.
 */
export function readJoseHeader(token: string): JoseHeader {
  const parts = token.split(".", 4);
  if (parts.length !== 3) {
    throw new ClaimsError("square/go-jose: compact JWS format must have three parts");
  }
  parts.forEach(checkBase64Url);
  const header = parseHeader(Buffer.from(parts[0] as string, "base64url").toString());
  const algorithm = textOf(header, "alg", "algorithm");
  const keyId = textOf(header, "kid", "key ID");
  textOf(header, "nonce", "nonce");
  checkCertificates(header["x5c"]);
  checkEmbeddedKey(header["jwk"]);
  return { algorithm, keyId, isPayloadEncoded: header["b64"] !== false };
}

function checkBase64Url(part: string): void {
  const illegal = part.search(/[^A-Za-z0-9_-]/);
  if (illegal >= 0 || part.length % 4 === 1) {
    throw new ClaimsError(`illegal base64 data at input byte ${illegal >= 0 ? illegal : part.length - 1}`);
  }
}

function parseHeader(text: string): JsonObject {
  if (text === "") {
    return {};
  }
  const { value, duplicateFields } = parsed(text);
  const [duplicate] = duplicateFields;
  if (duplicate !== undefined) {
    throw new ClaimsError(`json: duplicate key '${duplicate}' in object`);
  }
  if (value !== null && (typeof value !== "object" || Array.isArray(value))) {
    throw new ClaimsError(cannotUnmarshal(value, "jose.rawHeader"));
  }
  return value ?? {};
}

function parsed(text: string): ReturnType<typeof parseJson> {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ClaimsError("square/go-jose: the header is no JSON", { cause: error });
  }
}

function textOf(header: JsonObject, name: string, what: string): string {
  const value = header[name] ?? "";
  if (typeof value !== "string") {
    throw unusable(what, value, cannotUnmarshal(value, "string"));
  }
  return value;
}

function checkCertificates(value: JsonValue | undefined): void {
  if (value === undefined || value === null) {
    return;
  }
  if (!Array.isArray(value)) {
    throw unusable("x5c header", value, cannotUnmarshal(value, "[]string"));
  }
  for (const certificate of value) {
    try {
      new X509Certificate(Buffer.from(String(certificate), "base64"));
    } catch {
      throw unusable("x5c header", value, "x509: malformed certificate");
    }
  }
}

/** A secret in a header would be everybody's. */
function checkEmbeddedKey(value: JsonValue | undefined): void {
  if (value === undefined || value === null) {
    return;
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    throw unusable("JWK", value, cannotUnmarshal(value, "jose.rawJSONWebKey"));
  }
  try {
    if (!Object.hasOwn(value, "d")) {
      createPublicKey({ key: value, format: "jwk" });
      return;
    }
  } catch {
    // Said below.
  }
  throw new ClaimsError("square/go-jose: invalid embedded jwk, must be public key");
}

function unusable(what: string, value: JsonValue, problem: string): ClaimsError {
  return new ClaimsError(`failed to unmarshal ${what}: ${problem}: ${goQuote(JSON.stringify(value))}`);
}
