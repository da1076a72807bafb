import { version } from "@gatehouse/component-base/version";
import { defineCredentialPlugin } from "../plugin/define-credential-plugin.js";
import { oidcFlags } from "./oidc-flags.js";
import { resolveOidcSettings } from "./oidc-settings.js";

/** The program `gatehouse-credential-oidc`. */
export const oidcPlugin = defineCredentialPlugin({
  name: "gatehouse-credential-oidc",
  summary: "Logs in at an OpenID Connect provider, for kubectl and every other client of a Kubernetes API.",
  version,
  flags: oidcFlags,
  installHint: "Install it with: npm install --global @gatehouse/credential-plugins",
  async configure(values, env) {
    const settings = await resolveOidcSettings(values, env);
    const { issuer, clientId, user = "", grant, token, scopes, extraParameters, loginTimeoutMs } = settings;
    // Loaded when needed: most of the time the answer is in the cache.
    const load = () => import("./obtain-token.js");
    return {
      cacheKey: [issuer, clientId, user, grant, token, [...scopes].sort(), [...extraParameters].sort()],
      timeoutMs: grant === "client-credentials" ? 60_000 : loginTimeoutMs,
      obtain: async (request) => (await load()).obtainToken(settings, request),
      revoke: async ({ kept }, signal) => (await load()).revokeToken(settings, kept, signal),
    };
  },
});
