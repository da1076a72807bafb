import type { TokenEndpointResponse } from "openid-client";
import type { CredentialRequest } from "../plugin/credential-source.js";
import type { OidcSettings } from "./oidc-settings.js";
import type { Provider } from "./provider.js";

/** One way to log in. Rejects with what the library rejects with, or CredentialError. */
export type Login = (provider: Provider, settings: OidcSettings, request: CredentialRequest) => Promise<LoginTokens>;

/** Result of a login. */
export interface LoginTokens {
  readonly tokens: TokenEndpointResponse;
  /** Nonce that the ID token must have, if one was sent. */
  readonly nonce?: string;
}

/** The parameters with which any login begins. */
export function loginParameters(provider: Provider, settings: OidcSettings): Record<string, string> {
  const { user, extraParameters } = settings;
  return {
    scope: provider.scope,
    // Without asking the person again no refresh token is given (OpenID Connect Core, section 11).
    ...(provider.isOffline ? { prompt: "consent" } : {}),
    ...(user === undefined ? {} : { login_hint: user }),
    ...Object.fromEntries(extraParameters),
  };
}
