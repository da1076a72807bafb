import { issuerProblems, signingAlgorithms } from "@gatehouse/component-base/identity-tokens";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { AuthenticationFlagValues } from "./authentication-flags.js";

/** The issuer that the flags name. */
export interface OidcConfig {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly caFile: string | undefined;
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  /** The claim with the groups; empty for tokens without groups. */
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly requiredClaims: ReadonlyMap<string, string>;
  readonly signingAlgorithms: readonly string[];
}

/** Issuers of identity tokens that are believed: one that flags name, or those of a file. */
export interface IssuersConfig {
  readonly oidc: OidcConfig | undefined;
  /** Path of an AuthenticationConfiguration, whose issuers replace the one of the flags. */
  readonly configFile: string | undefined;
}

/** Checks the flags `--oidc-*`; undefined where none is given. */
export function resolveOidc(flags: AuthenticationFlagValues, problems: Problem[]): OidcConfig | undefined {
  const given = givenFlags(flags);
  const configFile = flags["authentication-config"];
  if (configFile !== undefined) {
    problems.push(
      ...given.map((flag) => problemAt(`--${flag}`, "cannot be given together with --authentication-config")),
    );
    return undefined;
  }
  const issuerUrl = flags["oidc-issuer-url"] ?? "";
  const clientId = flags["oidc-client-id"] ?? "";
  if (given.length === 0) {
    return undefined;
  }
  for (const [flag, value] of [
    ["oidc-issuer-url", issuerUrl],
    ["oidc-client-id", clientId],
  ] as const) {
    if (value === "") {
      problems.push(problemAt(`--${flag}`, "must be given when any of the flags --oidc-* is"));
    }
  }
  problems.push(...issuerProblems(issuerUrl).map((text) => problemAt("--oidc-issuer-url", text)));
  const algorithms = flags["oidc-signing-algs"];
  const unknown = algorithms.filter((algorithm) => !signingAlgorithms.includes(algorithm));
  problems.push(
    ...unknown.map((name) => problemAt("--oidc-signing-algs", `unsupported signing alg: ${JSON.stringify(name)}`)),
  );
  const usernameClaim = flags["oidc-username-claim"];
  return {
    issuerUrl,
    clientId,
    caFile: flags["oidc-ca-file"],
    usernameClaim,
    usernamePrefix: usernamePrefix(flags["oidc-username-prefix"], usernameClaim, issuerUrl),
    groupsClaim: flags["oidc-groups-claim"],
    groupsPrefix: flags["oidc-groups-prefix"],
    requiredClaims: requiredClaims(flags["oidc-required-claim"], problems),
    signingAlgorithms: algorithms.length === 0 ? ["RS256"] : algorithms,
  };
}

const defaults = { "oidc-username-claim": "sub", "oidc-signing-algs": "RS256" } as const;

function givenFlags(flags: AuthenticationFlagValues): readonly string[] {
  const names = [
    "oidc-issuer-url",
    "oidc-client-id",
    "oidc-ca-file",
    "oidc-username-claim",
    "oidc-username-prefix",
    "oidc-groups-claim",
    "oidc-groups-prefix",
    "oidc-required-claim",
    "oidc-signing-algs",
  ] as const;
  return names.filter((name) => String(flags[name] ?? "") !== ((defaults as Record<string, string>)[name] ?? ""));
}

function usernamePrefix(given: string, claim: string, issuerUrl: string): string {
  return given === "-" ? "" : given === "" && claim !== "email" ? `${issuerUrl}#` : given;
}

function requiredClaims(pairs: readonly string[], problems: Problem[]): ReadonlyMap<string, string> {
  const claims = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 0) {
      problems.push(
        problemAt("--oidc-required-claim", `malformed pair, expect string=string: ${JSON.stringify(pair)}`),
      );
    } else {
      claims.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
    }
  }
  return claims;
}
