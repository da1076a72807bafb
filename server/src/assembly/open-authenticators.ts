import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AuthenticationMetrics,
  type Authenticator,
  bearerTokenAuthenticator,
  clientCertificateAuthenticator,
  forApiAudiences,
  jwtIssuers,
  keyShelf,
  type OidcTokens,
  openOidcTokens,
  parseTokenFile,
  requestHeaderAuthenticator,
  staticTokens,
  type TokenAuthenticator,
  tokenCache,
  tokenUnion,
  webhookTokens,
  websocketTokenAuthenticator,
} from "@gatehouse/apiserver/authentication";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { JwtIssuer } from "@gatehouse/component-base/identity-tokens";
import { type ClientConfig, loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { bootstrapTokens } from "../bootstrap-tokens/bootstrap-tokens.js";
import type { ServerConfig } from "../options/server-config.js";
import { type BoundTokensOptions, boundTokenClaims } from "../service-accounts/bound-tokens.js";
import { type LegacyTokensOptions, legacyIssuer, legacyTokenClaims } from "../service-accounts/legacy-tokens.js";
import { type VerificationKey, verificationKeys } from "../service-accounts/token-keys.js";
import { type TokenSigner, tokenSigner } from "../service-accounts/token-signer.js";
import { verifiedTokens } from "../service-accounts/verified-token.js";

/** The time in milliseconds for which a valid token is cached, as in v1.29. */
const tokenSuccessTtlMs = 10_000;

/** Dependencies of the authenticators. */
export interface AuthenticatorParts
  extends Pick<BoundTokensOptions, "objects" | "now" | "features">,
    Pick<LegacyTokensOptions, "noteUse"> {
  readonly metrics: AuthenticationMetrics;
  /** Returns the certificates of `--client-ca-file` as they are now, as PEM. */
  readonly clientAuthorities: () => string;
  /** Returns the certificates of `--requestheader-client-ca-file` as they are now, as PEM. */
  readonly proxyAuthorities: () => string;
  /** The signal that aborts when the server stops. */
  readonly signal: AbortSignal;
  /** Called when an issuer of identity tokens does not answer, and with undefined when it does again. */
  readonly onIssuerTrouble: (issuerUrl: string, problem: Error | undefined) => void;
}

/** The authenticators of the server, and the signers and keys of its tokens. */
export interface Authentication {
  /** The authenticators in the order in which they are asked. */
  readonly authenticators: readonly Authenticator[];
  readonly signer: TokenSigner;
  /** Signs tokens that are kept in secrets. */
  readonly legacySigner: TokenSigner;
  /** The keys with which others verify service account tokens. */
  readonly keys: readonly VerificationKey[];
  /** Issuers of identity tokens, which may be down. */
  readonly issuers: readonly Pick<OidcTokens, "issuerUrl" | "problem">[];
}

type TokenWebhookConfig = NonNullable<ServerConfig["authentication"]["tokenWebhook"]>;
type Config = Pick<ServerConfig, "clientCaFile" | "tokenAuthFile" | "authentication" | "dataDirectory">;

/**
 * Opens what the configuration asks for, in the order in which v1.29 asks: what is local first, then what is remote.
 * Rejects with a `ConfigurationError` that lists every file that is unusable.
 */
export async function openAuthentication(config: Config, parts: AuthenticatorParts): Promise<Authentication> {
  const problems: Problem[] = [];
  const { serviceAccounts, apiAudiences } = config.authentication;
  const { tokenWebhook, oidc } = config.authentication;
  const [users, webhook, issuers, keys, signers] = await Promise.all([
    config.tokenAuthFile === undefined
      ? undefined
      : readPart("--token-auth-file", config.tokenAuthFile, parseTokenFile, problems),
    tokenWebhook === undefined
      ? undefined
      : loadPart(
          "--authentication-token-webhook-config-file",
          () => loadKubeconfig(tokenWebhook.kubeconfigFile),
          problems,
        ),
    loadPart(
      oidc === undefined ? "--authentication-config" : "--oidc-ca-file",
      () => jwtIssuers(config.authentication),
      problems,
    ),
    Promise.all(
      serviceAccounts.keyFiles.map((file) => readPart("--service-account-key-file", file, verificationKeys, problems)),
    ),
    readPart(
      "--service-account-signing-key-file",
      serviceAccounts.signingKeyFile,
      (pem) => ({
        signer: tokenSigner(serviceAccounts.issuers[0] ?? "", pem),
        legacySigner: tokenSigner(legacyIssuer, pem),
      }),
      problems,
    ),
  ]);
  if (problems.length > 0 || signers === undefined) {
    throw new ConfigurationError("flags", problems);
  }
  const verification = keys.flatMap((list) => list ?? []);
  const oidcTokens = await Promise.all((issuers ?? []).map((issuer) => openIssuer(issuer, config, parts)));
  const tokens = tokenCache({
    delegate: tokenUnion([
      ...(users === undefined ? [] : [forApiAudiences(apiAudiences, staticTokens(users))]),
      ...serviceAccountTokens(config, parts, verification),
      ...(config.authentication.bootstrapTokens ? [forApiAudiences(apiAudiences, bootstrapTokens(parts))] : []),
      ...oidcTokens.map((known) => forApiAudiences(apiAudiences, known)),
      ...(webhook === undefined || tokenWebhook === undefined
        ? []
        : [rememberedWebhook(webhook, tokenWebhook, apiAudiences, parts)]),
    ]),
    successTtlMs: tokenSuccessTtlMs,
    failureTtlMs: 0,
    keepsRefusals: true,
    metrics: parts.metrics.tokenCache,
    // A clock that tests set ahead ends what is remembered, too; that of the machine may be set back.
    ...(parts.now === Date.now ? {} : { now: parts.now }),
  });
  const { requestHeader } = config.authentication;
  const authenticators: readonly Authenticator[] = [
    ...(requestHeader === undefined
      ? []
      : [requestHeaderAuthenticator(requestHeader, parts.proxyAuthorities, parts.now)]),
    ...(config.clientCaFile === undefined
      ? []
      : [
          clientCertificateAuthenticator({
            authorities: parts.clientAuthorities,
            now: parts.now,
            otherAuthorities: requestHeader !== undefined,
            shown: parts.metrics.certificateShown,
          }),
        ]),
    bearerTokenAuthenticator(tokens),
    websocketTokenAuthenticator(tokens),
  ];
  return { authenticators, ...signers, keys: verification, issuers: oidcTokens };
}

function serviceAccountTokens(
  { authentication: { apiAudiences, serviceAccounts } }: Config,
  parts: AuthenticatorParts,
  keys: readonly VerificationKey[],
): readonly TokenAuthenticator[] {
  const { lookup, issuers } = serviceAccounts;
  const metrics = parts.metrics.serviceAccounts;
  const common = { keys, apiAudiences, legacyUses: metrics.legacy };
  return [
    verifiedTokens({
      ...common,
      issuers: [legacyIssuer],
      ownClaims: legacyTokenClaims({ ...parts, lookup, metrics }),
    }),
    verifiedTokens({ ...common, issuers, ownClaims: boundTokenClaims({ ...parts, metrics }) }),
  ];
}

function openIssuer(issuer: JwtIssuer, config: Config, parts: AuthenticatorParts): Promise<OidcTokens> {
  return openOidcTokens({
    issuer,
    maxAgeMs: config.authentication.lastGoodMaxAgeMs,
    shelf: keyShelf(join(config.dataDirectory, "issuer-keys"), issuer.url),
    now: parts.now,
    signal: parts.signal,
    onTrouble: parts.onIssuerTrouble,
  });
}

function rememberedWebhook(
  client: ClientConfig,
  { version, cacheTtlMs }: TokenWebhookConfig,
  apiAudiences: readonly string[],
  { signal, metrics }: AuthenticatorParts,
): TokenAuthenticator {
  return tokenCache({
    delegate: webhookTokens({ client, version, apiAudiences, signal }),
    successTtlMs: cacheTtlMs,
    failureTtlMs: cacheTtlMs,
    keepsRefusals: false,
    metrics: metrics.tokenCache,
  });
}

function readPart<T>(
  flag: string,
  file: string,
  parse: (text: string) => T,
  problems: Problem[],
): Promise<T | undefined> {
  return loadPart(flag, async () => parse(await readFile(file, "utf8")), problems);
}

async function loadPart<T>(flag: string, load: () => Promise<T>, problems: Problem[]): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof ConfigurationError) {
      throw error;
    }
    problems.push(problemAt(flag, error instanceof Error ? error.message : "cannot be read"));
    return undefined;
  }
}
