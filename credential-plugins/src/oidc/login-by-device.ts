import * as client from "openid-client";
import { CredentialError } from "../plugin/credential-error.js";
import { printable } from "../plugin/printable.js";
import { type Login, loginParameters } from "./login.js";

/** Logs a person in with a browser anywhere, by a code that they copy (RFC 8628). */
export const loginByDevice: Login = async (provider, settings, { prompt, signal }) => {
  const { configuration } = provider;
  if (configuration.serverMetadata().device_authorization_endpoint === undefined) {
    throw new CredentialError("the provider does not offer logins by a device code");
  }
  const device = await client.initiateDeviceAuthorization(configuration, loginParameters(provider, settings));
  prompt(`To log in, open this address in any browser:\n  ${printable(device.verification_uri)}`);
  prompt(`and enter the code:\n  ${printable(device.user_code)}`);
  if (device.verification_uri_complete !== undefined) {
    prompt(`(or, with the code in it: ${printable(device.verification_uri_complete)})`);
  }
  const expired = AbortSignal.timeout(device.expires_in * 1000);
  try {
    return {
      tokens: await client.pollDeviceAuthorizationGrant(configuration, device, undefined, {
        signal: AbortSignal.any([signal, expired]),
      }),
    };
  } catch (error) {
    if (signal.aborted || expired.aborted) {
      throw new CredentialError("nobody has logged in in time");
    }
    throw error;
  }
};
