import { readFile } from "node:fs/promises";
import { ConfigurationError, type Problem, problemAt } from "@gatehouse/component-base";
import type { ServerConfig } from "../config.js";
import type { Authenticator } from "./authenticator.js";
import { clientCertificateAuthenticator } from "./client-certificate.js";
import { type RequestAuthenticator, requestAuthenticator } from "./request-authenticator.js";
import { type BoundTokensOptions, validateBoundClaims } from "./service-accounts/bound-tokens.js";
import { type LegacyTokensOptions, legacyIssuer, validateLegacyClaims } from "./service-accounts/legacy-tokens.js";
import { type VerificationKey, verificationKeys } from "./service-accounts/token-keys.js";
import { type TokenSigner, tokenSigner } from "./service-accounts/token-signer.js";
import { verifiedTokens } from "./service-accounts/verified-token.js";
import { forApiAudiences } from "./tokens/api-audience.js";
import { bearerTokenAuthenticator } from "./tokens/bearer-token.js";
import { parseTokenFile, staticTokens } from "./tokens/static-tokens.js";
import type { TokenAuthenticator } from "./tokens/token-authenticator.js";
import { tokenCache } from "./tokens/token-cache.js";
import { tokenUnion } from "./tokens/token-union.js";
import { websocketTokenAuthenticator } from "./tokens/websocket-token.js";

/** How long a good token is believed without another look, in milliseconds, as in v1.29. */
const tokenSuccessTtlMs = 10_000;

/** What the server gives its authenticators to work with. */
export interface AuthenticatorParts
  extends Pick<BoundTokensOptions, "objects" | "now" | "features">,
    Pick<LegacyTokensOptions, "noteUse"> {
  /** The certificates of `--client-ca-file` as they are now, as PEM. */
  readonly clientAuthorities: () => string;
}

/** Whom the server believes, and what it issues. */
export interface Authentication {
  readonly authenticator: RequestAuthenticator;
  readonly signer: TokenSigner;
  /** Signs tokens that are kept in secrets. */
  readonly legacySigner: TokenSigner;
  /** What others verify the tokens of service accounts with. */
  readonly keys: readonly VerificationKey[];
}

type Config = Pick<ServerConfig, "clientCaFile" | "tokenAuthFile" | "anonymousAuth" | "authentication">;

/**
 * Opens what the configuration asks for, in the order in which v1.29 asks: what is local first, then what is remote.
 * Rejects with a `ConfigurationError` that lists every file that is unusable.
 */
export async function openAuthentication(config: Config, parts: AuthenticatorParts): Promise<Authentication> {
  const problems: Problem[] = [];
  const { serviceAccounts, apiAudiences } = config.authentication;
  const [users, keys, signers] = await Promise.all([
    config.tokenAuthFile === undefined
      ? undefined
      : readPart("--token-auth-file", config.tokenAuthFile, parseTokenFile, problems),
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
  const tokens = tokenCache({
    delegate: tokenUnion([
      ...(users === undefined ? [] : [forApiAudiences(apiAudiences, staticTokens(users))]),
      ...serviceAccountTokens(config, parts, verification),
    ]),
    successTtlMs: tokenSuccessTtlMs,
    failureTtlMs: 0,
    keepsRefusals: true,
  });
  const authenticators: readonly Authenticator[] = [
    ...(config.clientCaFile === undefined ? [] : [clientCertificateAuthenticator(parts.clientAuthorities)]),
    bearerTokenAuthenticator(tokens),
    websocketTokenAuthenticator(tokens),
  ];
  const { anonymousAuth: anonymousAllowed } = config;
  const authenticator = requestAuthenticator({ authenticators, anonymousAllowed, apiAudiences });
  return { authenticator, ...signers, keys: verification };
}

function serviceAccountTokens(
  { authentication: { apiAudiences, serviceAccounts } }: Config,
  parts: AuthenticatorParts,
  keys: readonly VerificationKey[],
): readonly TokenAuthenticator[] {
  const { lookup, issuers } = serviceAccounts;
  return [
    verifiedTokens({
      issuers: [legacyIssuer],
      keys,
      apiAudiences,
      validate: validateLegacyClaims({ ...parts, lookup }),
    }),
    verifiedTokens({ issuers, keys, apiAudiences, validate: validateBoundClaims(parts) }),
  ];
}

async function readPart<T>(
  flag: string,
  file: string,
  parse: (text: string) => T,
  problems: Problem[],
): Promise<T | undefined> {
  try {
    return parse(await readFile(file, "utf8"));
  } catch (error) {
    problems.push(problemAt(flag, error instanceof Error ? error.message : "cannot be read"));
    return undefined;
  }
}
