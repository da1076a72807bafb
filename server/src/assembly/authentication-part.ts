import { randomUUID } from "node:crypto";
import { networkInterfaces } from "node:os";
import { metaOf } from "@gatehouse/apiserver/objects";
import { hostAndPort } from "@gatehouse/apiserver/options";
import type { AuthenticatorParts, ServerParts } from "@gatehouse/apiserver/server";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { secrets } from "../controllers/core-resources.js";
import { advertisedAddress } from "../controllers/kubernetes-service/advertised-address.js";
import type { TokenRequestParts } from "../kinds/core/service-account/token-request.js";
import type { ServerConfig } from "../options/server-config.js";
import { type IssuerMetadata, issuerMetadata } from "../service-accounts/issuer-metadata.js";
import { labelOf, lastUsedLabel } from "../service-accounts/legacy-tokens.js";
import { boundObjects } from "./find-bound-objects.js";
import { type Authentication, openAuthentication } from "./open-authenticators.js";

/** The authenticators, and the tokens and documents that this server issues itself. */
export interface AuthenticationPart extends Authentication {
  readonly tokenRequests: TokenRequestParts;
  /** Returns the discovery document of the issuer; undefined where the issuer's name is not a URL. */
  readonly issuerMetadata: () => IssuerMetadata | undefined;
}

/**
 * Returns a function that opens the configured authenticators when it is first called, and resolves to them ever after.
 * Rejects with a ConfigurationError when files are unusable.
 */
export function authenticationPart(config: ServerConfig): (parts: AuthenticatorParts) => Promise<AuthenticationPart> {
  let opening: Promise<AuthenticationPart> | undefined;
  return (parts) => {
    opening ??= openAuthenticationPart(config, parts);
    return opening;
  };
}

async function openAuthenticationPart(config: ServerConfig, server: AuthenticatorParts): Promise<AuthenticationPart> {
  const { liveRegistry, now, certificates, log } = server;
  const { featureGates: features } = config;
  const { apiAudiences, serviceAccounts } = config.authentication;
  const opened = await openAuthentication(config, {
    objects: boundObjects(liveRegistry, "remembered"),
    now,
    features: {
      tokenId: features.enabled("ServiceAccountTokenJTI"),
      podNode: features.enabled("ServiceAccountTokenPodNodeInfo"),
      nodeBinding: features.enabled("ServiceAccountTokenNodeBindingValidation"),
    },
    clientAuthorities: certificates.clientAuthorities,
    proxyAuthorities: certificates.proxyAuthorities,
    signal: server.signal,
    onIssuerTrouble: (issuer, problem) => log.issuerTrouble(issuer, problem),
    noteUse: (secret) => noteUse(server, secret),
    metrics: server.authenticationMetrics,
  });
  let metadata: { readonly found: IssuerMetadata | undefined } | undefined;
  return {
    ...opened,
    tokenRequests: {
      signer: opened.signer,
      objects: boundObjects(liveRegistry, "stored"),
      apiAudiences,
      maxExpirationSeconds: serviceAccounts.maxExpirationSeconds,
      extendExpiration: serviceAccounts.extendExpiration,
      features,
      now,
      randomId: randomUUID,
    },
    issuerMetadata() {
      metadata ??= { found: issuerMetadata(serviceAccounts.issuers[0] ?? "", keySetUri(config, server), opened.keys) };
      return metadata.found;
    },
  };
}

function keySetUri(config: ServerConfig, { port }: ServerParts): string {
  const host = config.externalHost ?? advertisedAddress(config, networkInterfaces);
  return config.authentication.serviceAccounts.keySetUri ?? `https://${hostAndPort(host, port())}/openid/v1/jwks`;
}

/** Labels the secret of a token with the day on which it was used last, once a day. */
function noteUse({ client, now, reportFault }: ServerParts, secret: JsonObject): void {
  const day = (offset: number): string => new Date(now() + offset).toISOString().slice(0, 10);
  const [today, tomorrow] = [day(0), day(dayMs)];
  const lastUsed = labelOf(secret, lastUsedLabel);
  if (lastUsed === today || lastUsed === tomorrow) {
    return;
  }
  const { namespace = "", name = "", uid } = metaOf(secret);
  const mark = (stored: JsonObject): JsonObject | undefined => {
    const meta = metaOf(stored);
    if (meta.uid !== uid || labelOf(stored, lastUsedLabel) === today) {
      return undefined;
    }
    meta.labels = { ...meta.labels, [lastUsedLabel]: today };
    return stored;
  };
  client().update(secrets, { namespace, name }, mark).catch(reportFault);
}

const dayMs = 24 * 60 * 60 * 1000;
