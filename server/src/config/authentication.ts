import { type Problem, problemAt } from "@gatehouse/component-base";
import type { ServerFlagValues } from "../flags.js";

/** Who is believed, and what is issued to whom. */
export interface AuthenticationConfig {
  /** For whom tokens must be that say for whom they are. */
  readonly apiAudiences: readonly string[];
  readonly serviceAccounts: ServiceAccountConfig;
}

/** Tokens of service accounts. */
export interface ServiceAccountConfig {
  /** Those whose tokens are believed; the first is who this server issues tokens as. */
  readonly issuers: readonly string[];
  readonly keyFiles: readonly string[];
  readonly signingKeyFile: string;
  /** Where others read the public keys, when that is not at this server. */
  readonly keySetUri: string | undefined;
  /** What a legacy token says is looked up. */
  readonly lookup: boolean;
  /** Seconds; 0: no bound. */
  readonly maxExpirationSeconds: number;
  /** Tokens that are put into pods are valid for a year. */
  readonly extendExpiration: boolean;
}

/** Milliseconds. */
const hour = 60 * 60 * 1000;
const longest = 2 ** 32 * 1000;

/** Checks the flags of authentication as a whole. */
export function resolveAuthentication(flags: ServerFlagValues, problems: Problem[]): AuthenticationConfig {
  const serviceAccounts = resolveServiceAccounts(flags, problems);
  const given = flags["api-audiences"];
  return { apiAudiences: given.length > 0 ? given : serviceAccounts.issuers, serviceAccounts };
}

function resolveServiceAccounts(flags: ServerFlagValues, problems: Problem[]): ServiceAccountConfig {
  const issuers = flags["service-account-issuer"];
  checkIssuers(issuers, problems);
  const keyFiles = flags["service-account-key-file"];
  const signingKeyFile = flags["service-account-signing-key-file"];
  if (keyFiles.length === 0) {
    problems.push(problemAt("--service-account-key-file", "is required"));
  }
  if (signingKeyFile === undefined) {
    problems.push(problemAt("--service-account-signing-key-file", "is required"));
  }
  const keySetUri = flags["service-account-jwks-uri"];
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

function checkIssuers(issuers: readonly string[], problems: Problem[]): void {
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
