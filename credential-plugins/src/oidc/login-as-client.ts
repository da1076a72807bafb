import * as client from "openid-client";
import type { Login } from "./login.js";

/** Gets a token for the client itself, without a person (RFC 6749, section 4.4). */
export const loginAsClient: Login = async ({ configuration, scope }, { extraParameters }) => ({
  tokens: await client.clientCredentialsGrant(configuration, { scope, ...Object.fromEntries(extraParameters) }),
});
