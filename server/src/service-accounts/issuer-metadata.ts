import type { VerificationKey } from "./token-keys.js";

/** The documents with which others verify service account tokens without asking this server. */
export interface IssuerMetadata {
  /** The document of OpenID Connect discovery. */
  readonly configuration: string;
  /** The public keys (RFC 7517). */
  readonly keySet: string;
}

/**
 * Returns the documents of an issuer; undefined if its name is no address by which OpenID Connect finds them.
 * `keySetUri` is the address of the keys.
 */
export function issuerMetadata(
  issuer: string,
  keySetUri: string,
  keys: readonly VerificationKey[],
): IssuerMetadata | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol !== "https:" || url.search !== "" || url.hash !== "") {
    return undefined;
  }
  return {
    configuration: JSON.stringify({
      issuer,
      jwks_uri: keySetUri,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
    }),
    keySet: JSON.stringify({
      keys: keys.map(({ key, id, algorithm }) => {
        const { kty, ...rest } = key.export({ format: "jwk" });
        return {
          use: "sig",
          kty,
          kid: id,
          ...(rest["crv"] === undefined ? {} : { crv: rest["crv"] }),
          alg: algorithm,
          ...rest,
        };
      }),
    }),
  };
}
