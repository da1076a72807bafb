import * as client from "openid-client";
import { CredentialError } from "../plugin/credential-error.js";
import type { CredentialRequest, ObtainedCredential } from "../plugin/credential-source.js";
import type { Login, LoginTokens } from "./login.js";
import { loginAsClient } from "./login-as-client.js";
import { loginByBrowser } from "./login-by-browser.js";
import { loginByDevice } from "./login-by-device.js";
import type { OidcSettings } from "./oidc-settings.js";
import { openProvider, type Provider } from "./provider.js";
import { providerError, providerErrorCode } from "./provider-error.js";
import { parseSession, type Session } from "./session.js";
import type { IdToken } from "./verify-id-token.js";

const logins: Readonly<Record<OidcSettings["grant"], Login>> = {
  "authorization-code": loginByBrowser,
  "device-code": loginByDevice,
  "client-credentials": loginAsClient,
};

/** Gets a token: with the refresh token of the last login if that is still good, and otherwise by a new login. */
export async function obtainToken(settings: OidcSettings, request: CredentialRequest): Promise<ObtainedCredential> {
  const session = parseSession(request.previous.kept);
  using provider = await openProvider(settings, request.signal);
  const refreshed = await refresh(provider, session);
  if (refreshed !== undefined) {
    // The one before may be worth nothing from now on, whatever becomes of the rest.
    await request.keep({ ...session, refreshToken: refreshed.refresh_token ?? session.refreshToken } satisfies Session);
    return await credentialOf(provider, settings, { tokens: refreshed }, session);
  }
  if (session.refreshToken !== undefined) {
    await request.keep({});
  }
  if (settings.grant !== "client-credentials" && !request.personPresent) {
    throw new CredentialError(
      "somebody must log in, but nobody is at a terminal: run a command such as `kubectl auth whoami` in one",
    );
  }
  try {
    const brought = await logins[settings.grant](provider, settings, request);
    return await credentialOf(provider, settings, brought, {});
  } catch (error) {
    throw providerError("logging in", error);
  }
}

/** Forgets the refresh token at the provider, if it offers that (RFC 7009); access tokens made with it go with it. */
export async function revokeToken(settings: OidcSettings, kept: unknown, signal: AbortSignal): Promise<void> {
  const { refreshToken } = parseSession(kept);
  if (refreshToken === undefined) {
    return;
  }
  using provider = await openProvider(settings, signal);
  if (provider.configuration.serverMetadata().revocation_endpoint === undefined) {
    return;
  }
  try {
    await client.tokenRevocation(provider.configuration, refreshToken, { token_type_hint: "refresh_token" });
  } catch (error) {
    throw providerError("revoking the refresh token", error);
  }
}

/** Refreshes the tokens; undefined without a refresh token, or when the provider does not accept it any more. */
async function refresh(provider: Provider, { refreshToken }: Session): Promise<LoginTokens["tokens"] | undefined> {
  if (refreshToken === undefined) {
    return undefined;
  }
  try {
    return await client.refreshTokenGrant(provider.configuration, refreshToken);
  } catch (error) {
    if (providerErrorCode(error) === "invalid_grant") {
      return undefined;
    }
    throw providerError("refreshing the token", error);
  }
}

async function credentialOf(
  provider: Provider,
  settings: OidcSettings,
  { tokens, nonce }: LoginTokens,
  before: Session,
): Promise<ObtainedCredential> {
  const { id_token, access_token, expires_in, refresh_token = before.refreshToken } = tokens;
  const known = {
    ...(nonce === undefined ? {} : { nonce }),
    ...(before.subject === undefined ? {} : { subject: before.subject }),
  };
  const idToken = id_token === undefined ? undefined : await provider.verifyIdToken(id_token, known);
  if (idToken !== undefined) {
    assertUser(idToken, settings.user);
  }
  if (settings.token === "id-token" && (id_token === undefined || idToken === undefined)) {
    throw new CredentialError("the provider has given no ID token");
  }
  const subject = idToken?.subject ?? before.subject;
  return {
    credential:
      settings.token === "id-token" && id_token !== undefined && idToken !== undefined
        ? { token: id_token, expiresAt: idToken.expiresAt }
        : { token: access_token, ...(expires_in === undefined ? {} : { expiresAt: Date.now() + expires_in * 1000 }) },
    kept: {
      ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
      ...(subject === undefined ? {} : { subject }),
    } satisfies Session,
  };
}

/** A browser may be logged in as somebody else than the person thinks. */
function assertUser({ subject, claims }: IdToken, user: string | undefined): void {
  const names = [subject, claims["preferred_username"], claims["email"]];
  if (user !== undefined && !names.includes(user)) {
    throw new CredentialError(`somebody else than ${user} has logged in (--user)`);
  }
}
