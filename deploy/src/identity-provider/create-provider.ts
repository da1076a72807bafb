import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import type Provider from "oidc-provider";
import type { Configuration } from "oidc-provider";
import { developmentClientId } from "./client-id.js";
import { deviceFlow, renderError } from "./device-pages.js";
import type { DevelopmentUser } from "./users.js";

/**
 * Makes an identity provider that knows some users, and one public client: command-line programs that log people in by a
 * browser or a code. Its key and its sessions live as long as the process.
 */
export async function createProvider(issuer: string, users: readonly DevelopmentUser[]): Promise<Provider> {
  const { Provider } = await import("oidc-provider");
  return new Provider(issuer, { ...configuration, jwks: { keys: [await createSigningKey()] }, ...accountsOf(users) });
}

const minute = 60;
const hour = 60 * minute;

const configuration: Configuration = {
  clients: [
    {
      client_id: developmentClientId,
      token_endpoint_auth_method: "none",
      application_type: "native",
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code"],
      // Any port of this address: the plugin takes one that is free (RFC 8252).
      redirect_uris: ["http://127.0.0.1/callback"],
    },
  ],
  scopes: ["openid", "offline_access"],
  claims: { openid: ["sub", "preferred_username", "groups"] },
  // The API server reads ID tokens only.
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false }, deviceFlow, revocation: { enabled: true } },
  renderError,
  pkce: { required: () => true },
  cookies: { keys: [randomBytes(32).toString("base64url")] },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  ttl: {
    AccessToken: 10 * minute,
    DeviceCode: 10 * minute,
    Grant: 24 * hour,
    IdToken: 10 * minute,
    Interaction: 10 * minute,
    RefreshToken: 24 * hour,
    Session: 8 * hour,
  },
};

function accountsOf(users: readonly DevelopmentUser[]): Pick<Configuration, "findAccount"> {
  return {
    findAccount(_, accountId) {
      const user = users.find(({ name }) => name === accountId);
      return (
        user && {
          accountId,
          claims: async () => ({ sub: accountId, preferred_username: accountId, groups: [...user.groups] }),
        }
      );
    },
  };
}

async function createSigningKey(): Promise<Awaited<ReturnType<typeof exportJWK>>> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), use: "sig", alg: "RS256", kid: randomBytes(8).toString("hex") };
}
