import * as client from "openid-client";
import { CredentialError } from "../plugin/credential-error.js";
import { openCallbackListener } from "./callback-listener.js";
import { callbackPage } from "./callback-page.js";
import { type Login, loginParameters } from "./login.js";
import { openBrowser } from "./open-browser.js";

/**
 * Logs a person in with a browser on this machine: authorization code with PKCE (RFC 7636), returned to a port of the
 * loopback address (RFC 8252).
 */
export const loginByBrowser: Login = async (provider, settings, request) => {
  const { configuration } = provider;
  const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()];
  await using listener = await openCallbackListener({ port: settings.callbackPort, state });
  const address = client.buildAuthorizationUrl(configuration, {
    ...loginParameters(provider, settings),
    redirect_uri: listener.redirectUri,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  if (address.protocol !== "https:") {
    throw new CredentialError("the provider wants to log people in without TLS");
  }
  const opened = settings.openBrowser && (await openBrowser(address));
  request.prompt(
    opened
      ? `To log in, use the browser that has opened, or visit:\n  ${address.href}`
      : `To log in, open this address in a browser on this machine:\n  ${address.href}`,
  );
  const callback = await listener.callback(request.signal);
  try {
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(configuration, callback.url, checks);
    await callback.answer(callbackPage("succeeded"));
    return { tokens, nonce };
  } catch (error) {
    await callback.answer(callbackPage("failed"));
    throw error;
  }
};
