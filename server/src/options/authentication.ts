import { type FeatureGates, type IssuersConfig, resolveOidc } from "@gatehouse/apiserver/options";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { ServerFlagValues } from "../flags.js";

/** The configuration of authentication, and of the tokens that this server issues. */
export interface AuthenticationConfig extends IssuersConfig {
  /** Audiences of which tokens with an audience must name one. */
  readonly apiAudiences: readonly string[];
  readonly serviceAccounts: ServiceAccountConfig;
  /** The configuration of front proxies; undefined where none are trusted. */
  readonly requestHeader: RequestHeaderConfig | undefined;
  readonly bootstrapTokens: boolean;
  /** Milliseconds for which the last keys of an issuer that does not answer are still used. */
  readonly lastGoodMaxAgeMs: number;
  /** The webhook that reviews tokens; undefined for none. */
  readonly tokenWebhook: TokenWebhookConfig | undefined;
}

/** Names of trusted front proxies, and the headers by which they name users. */
export interface RequestHeaderConfig {
  readonly clientCaFile: string;
  /** Allowed common names; empty for any. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** A webhook that reviews tokens. */
export interface TokenWebhookConfig {
  readonly kubeconfigFile: string;
  readonly version: "v1" | "v1beta1";
  /** Milliseconds for which answers are kept; 0 for none. */
  readonly cacheTtlMs: number;
}

/** The configuration of service account tokens. */
export interface ServiceAccountConfig {
  /** Issuers whose tokens are accepted; the first issues the tokens of this server. */
  readonly issuers: readonly string[];
  readonly keyFiles: readonly string[];
  readonly signingKeyFile: string;
  /** The URL of the public keys, when it is not on this server; undefined otherwise. */
  readonly keySetUri: string | undefined;
  /** True if the secret and the account of a legacy token must exist. */
  readonly lookup: boolean;
  /** Limit in seconds; 0 for none. */
  readonly maxExpirationSeconds: number;
  /** True if tokens that are put into pods are valid for a year. */
  readonly extendExpiration: boolean;
}

/** Durations in milliseconds. */
const hour = 60 * 60 * 1000;
const longest = 2 ** 32 * 1000;

/** Checks the flags of authentication as a whole. */
export function resolveAuthentication(
  flags: ServerFlagValues,
  gates: FeatureGates,
  problems: Problem[],
): AuthenticationConfig {
  const serviceAccounts = resolveServiceAccounts(flags, problems);
  const given = flags["api-audiences"];
  return {
    apiAudiences: given.length > 0 ? given : serviceAccounts.issuers,
    serviceAccounts,
    requestHeader: resolveRequestHeader(flags, problems),
    bootstrapTokens: flags["enable-bootstrap-token-auth"],
    oidc: resolveOidc(flags, problems),
    configFile: resolveConfigFile(flags, gates, problems),
    lastGoodMaxAgeMs: flags["oidc-last-good-max-age"],
    tokenWebhook: resolveTokenWebhook(flags, problems),
  };
}

function resolveConfigFile(flags: ServerFlagValues, gates: FeatureGates, problems: Problem[]): string | undefined {
  const file = flags["authentication-config"];
  if (file !== undefined && !gates.enabled("StructuredAuthenticationConfiguration")) {
    problems.push(
      problemAt("--authentication-config", "needs --feature-gates=StructuredAuthenticationConfiguration=true"),
    );
  }
  return file;
}

function resolveRequestHeader(flags: ServerFlagValues, problems: Problem[]): RequestHeaderConfig | undefined {
  const clientCaFile = flags["requestheader-client-ca-file"];
  const lists = {
    allowedNames: "requestheader-allowed-names",
    usernameHeaders: "requestheader-username-headers",
    groupHeaders: "requestheader-group-headers",
    extraHeaderPrefixes: "requestheader-extra-headers-prefix",
  } as const;
  for (const flag of Object.values(lists)) {
    if (flags[flag].some((item) => item.trim() === "")) {
      problems.push(problemAt(`--${flag}`, "must not hold an empty name"));
    }
  }
  const { allowedNames, usernameHeaders, groupHeaders, extraHeaderPrefixes } = lists;
  return clientCaFile === undefined
    ? undefined
    : {
        clientCaFile,
        allowedNames: flags[allowedNames],
        usernameHeaders: flags[usernameHeaders],
        groupHeaders: flags[groupHeaders],
        extraHeaderPrefixes: flags[extraHeaderPrefixes],
      };
}

function resolveTokenWebhook(flags: ServerFlagValues, problems: Problem[]): TokenWebhookConfig | undefined {
  const kubeconfigFile = flags["authentication-token-webhook-config-file"];
  const version = flags["authentication-token-webhook-version"];
  if (kubeconfigFile === undefined) {
    return undefined;
  }
  if (version !== "v1" && version !== "v1beta1") {
    problems.push(problemAt("--authentication-token-webhook-version", "must be v1 or v1beta1"));
    return undefined;
  }
  return { kubeconfigFile, version, cacheTtlMs: flags["authentication-token-webhook-cache-ttl"] };
}

function resolveServiceAccounts(flags: ServerFlagValues, problems: Problem[]): ServiceAccountConfig {
  const issuers = flags["service-account-issuer"];
  validateIssuers(issuers, problems);
  const keyFiles = flags["service-account-key-file"];
  const signingKeyFile = flags["service-account-signing-key-file"];
  if (keyFiles.length === 0) {
    problems.push(problemAt("--service-account-key-file", "is required"));
  }
  if (signingKeyFile === undefined) {
    problems.push(problemAt("--service-account-signing-key-file", "is required"));
  }
  const keySetUri = flags["service-account-jwks-uri"] || undefined;
  if (keySetUri !== undefined && (!URL.canParse(keySetUri) || new URL(keySetUri).protocol !== "https:")) {
    problems.push(problemAt("--service-account-jwks-uri", "must be an https URL"));
  }
  const maxExpirationMs = flags["service-account-max-token-expiration"];
  if (maxExpirationMs !== 0 && (maxExpirationMs < hour || maxExpirationMs > longest)) {
    problems.push(problemAt("--service-account-max-token-expiration", "must be between 1 hour and 2^32 seconds"));
  }
  return {
    issuers,
    keyFiles,
    signingKeyFile: signingKeyFile ?? "",
    keySetUri,
    lookup: flags["service-account-lookup"],
    maxExpirationSeconds: Math.floor(maxExpirationMs / 1000),
    extendExpiration: flags["service-account-extend-token-expiration"],
  };
}

function validateIssuers(issuers: readonly string[], problems: Problem[]): void {
  const report = (text: string): void => void problems.push(problemAt("--service-account-issuer", text));
  if (issuers.length === 0) {
    report("is required");
  }
  for (const [index, issuer] of issuers.entries()) {
    if (issuer === "") {
      report("must not be empty");
    } else if (issuer.includes(":") && !URL.canParse(issuer)) {
      report(`${JSON.stringify(issuer)} has a colon and is no URL`);
    } else if (issuers.indexOf(issuer) < index) {
      report(`${JSON.stringify(issuer)} is given twice`);
    }
  }
}
