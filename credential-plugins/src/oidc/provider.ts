import * as client from "openid-client";
import { CredentialError } from "../plugin/credential-error.js";
import { printable } from "../plugin/printable.js";
import type { OidcSettings } from "./oidc-settings.js";
import { providerError } from "./provider-error.js";
import { openProviderFetch } from "./provider-fetch.js";
import { type IdToken, verifyIdToken } from "./verify-id-token.js";

/** A provider that has told what it can do. */
export interface Provider extends Disposable {
  readonly configuration: client.Configuration;
  /** The scopes to ask for, joined. */
  readonly scope: string;
  /** True if `scope` asks for a refresh token that outlives the browser session. */
  readonly isOffline: boolean;
  verifyIdToken(token: string, known: { readonly nonce?: string; readonly subject?: string }): Promise<IdToken>;
}

/** Asks the provider what it can do (OpenID Connect Discovery). Rejects with CredentialError. */
export async function openProvider(settings: OidcSettings, signal: AbortSignal): Promise<Provider> {
  const { issuer, clientId, clientSecret } = settings;
  const calls = openProviderFetch(settings, signal);
  try {
    const configuration = await client.discovery(new URL(issuer), clientId, {}, authenticationOf(clientSecret), {
      [client.customFetch]: calls.fetch,
    });
    const metadata = configuration.serverMetadata();
    // The server compares texts: a slash more or less, and none of these tokens would be taken there.
    if (metadata.issuer !== issuer) {
      throw new CredentialError(
        `the provider calls itself ${printable(metadata.issuer)}; --issuer-url must be exactly that`,
      );
    }
    const offers = metadata.scopes_supported?.includes("offline_access") ?? false;
    const forPeople = settings.grant !== "client-credentials";
    const scopes = new Set([...settings.scopes, ...(offers && forPeople ? ["offline_access"] : [])]);
    return {
      configuration,
      scope: [...scopes].join(" "),
      isOffline: scopes.has("offline_access"),
      async verifyIdToken(token, known) {
        if (metadata.jwks_uri === undefined) {
          throw new CredentialError("the provider does not tell where its keys are (jwks_uri)");
        }
        const algorithms = metadata.id_token_signing_alg_values_supported ?? ["RS256"];
        const expected = { issuer, clientId, jwksUri: metadata.jwks_uri, algorithms, ...known };
        return await verifyIdToken(token, expected, calls.fetch).catch((error: unknown) => {
          throw providerError("fetching the keys of the provider", error);
        });
      },
      [Symbol.dispose]: () => calls[Symbol.dispose](),
    };
  } catch (error) {
    calls[Symbol.dispose]();
    throw providerError(`asking ${issuer} what it can do`, error);
  }
}

/** A secret goes into the header (RFC 6749, section 2.3.1), which every provider must take. */
function authenticationOf(clientSecret: string | undefined): client.ClientAuth {
  return clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
}
