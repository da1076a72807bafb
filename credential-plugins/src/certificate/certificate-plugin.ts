import { version } from "@gatehouse/component-base/version";
import { defineCredentialPlugin } from "../plugin/define-credential-plugin.js";
import { certificateFlags } from "./certificate-flags.js";
import { resolveCertificateSettings } from "./certificate-settings.js";

const name = "gatehouse-credential-certificate";
/** Time limit in milliseconds for the calls before and after the waiting. */
const callsMs = 30_000;

/** The program `gatehouse-credential-certificate`. */
export const certificatePlugin = defineCredentialPlugin({
  name,
  summary: "Gets short-lived client certificates through the certificates API of a cluster, and renews them.",
  version,
  flags: certificateFlags,
  installHint: "Install it with: npm install --global @gatehouse/credential-plugins",
  async configure(values, env) {
    const settings = await resolveCertificateSettings(values, env, name);
    const { bootstrap, user, groups, signerName, durationMs, approvalTimeoutMs } = settings;
    return {
      cacheKey: [bootstrap.server.href, user, groups, signerName, durationMs],
      timeoutMs: approvalTimeoutMs + callsMs,
      refreshAheadMs: (lifetimeMs) => lifetimeMs / 5,
      obtain: async (request) => (await import("./obtain-certificate.js")).obtainCertificate(settings, request),
    };
  },
});
