import { randomUUID } from "node:crypto";
import { isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { type AuthenticationMetrics, authenticationMetrics } from "@gatehouse/apiserver/authentication";
import type { ObjectClient } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { RegistrySource } from "@gatehouse/apiserver/registry";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { secrets } from "../controllers/core-resources.js";
import { advertisedAddress } from "../controllers/kubernetes-service/advertised-address.js";
import type { TokenRequestParts } from "../kinds/core/service-account/token-request.js";
import type { ServerConfig } from "../options/server-config.js";
import { type IssuerMetadata, issuerMetadata } from "../service-accounts/issuer-metadata.js";
import { labelOf, lastUsedLabel } from "../service-accounts/legacy-tokens.js";
import { boundObjects } from "./find-bound-objects.js";
import { type Authentication, openAuthentication } from "./open-authenticators.js";

/** The parts of the server that authentication needs. */
export interface AuthenticationPartOptions {
  readonly config: ServerConfig;
  readonly liveRegistry: RegistrySource;
  /** Returns the client that writes in the name of the server. */
  readonly client: () => ObjectClient;
  readonly clientAuthorities: () => string;
  readonly proxyAuthorities: () => string;
  /** The signal that aborts when the server stops. */
  readonly signal: AbortSignal;
  /** Returns the port that the server listens on. Called when requests are served. */
  readonly port: () => number;
  readonly now: () => number;
  readonly registry: MetricsRegistry;
  readonly reportFault: (error: unknown) => void;
  readonly onIssuerTrouble: (issuerUrl: string, problem: Error | undefined) => void;
}

/** The authenticators, and the tokens and documents that this server issues itself. */
export interface AuthenticationPart extends Authentication {
  readonly metrics: AuthenticationMetrics;
  readonly tokenRequests: TokenRequestParts;
  /** Returns the discovery document of the issuer; undefined where the issuer's name is not a URL. */
  readonly issuerMetadata: () => IssuerMetadata | undefined;
}

/** Opens the configured authenticators. Rejects with a ConfigurationError when files are unusable. */
export async function openAuthenticationPart(options: AuthenticationPartOptions): Promise<AuthenticationPart> {
  const { config, liveRegistry, now } = options;
  const { featureGates: features } = config;
  const { apiAudiences, serviceAccounts } = config.authentication;
  const metrics = authenticationMetrics(options.registry);
  const opened = await openAuthentication(config, {
    objects: boundObjects(liveRegistry, "remembered"),
    now,
    features: {
      tokenId: features.enabled("ServiceAccountTokenJTI"),
      podNode: features.enabled("ServiceAccountTokenPodNodeInfo"),
      nodeBinding: features.enabled("ServiceAccountTokenNodeBindingValidation"),
    },
    clientAuthorities: options.clientAuthorities,
    proxyAuthorities: options.proxyAuthorities,
    signal: options.signal,
    onIssuerTrouble: options.onIssuerTrouble,
    noteUse: (secret) => noteUse(options, secret),
    metrics,
  });
  let metadata: { readonly found: IssuerMetadata | undefined } | undefined;
  return {
    ...opened,
    metrics,
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
      metadata ??= { found: issuerMetadata(serviceAccounts.issuers[0] ?? "", keySetUri(options), opened.keys) };
      return metadata.found;
    },
  };
}

function keySetUri({ config, port }: AuthenticationPartOptions): string {
  const address = advertisedAddress(config, networkInterfaces);
  const host = isIPv6(address) ? `[${address}]` : address;
  return config.authentication.serviceAccounts.keySetUri ?? `https://${host}:${port()}/openid/v1/jwks`;
}

/** Labels the secret of a token with the day on which it was used last, once a day. */
function noteUse({ client, now, reportFault }: AuthenticationPartOptions, secret: JsonObject): void {
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
