import { readFile } from "node:fs/promises";
import { checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import {
  issuerProblems,
  type JwtIssuer,
  type PrefixedClaim,
  signingAlgorithms,
} from "@gatehouse/component-base/identity-tokens";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { certificatesOf } from "@gatehouse/component-base/tls";
import type { apiserverconfigV1alpha1 as v1alpha1 } from "@gatehouse/envelopes/types";
import type { IssuersConfig, OidcConfig } from "../../options/oidc.js";

const configKind = { group: "apiserver.config.k8s.io", version: "v1alpha1", kind: "AuthenticationConfiguration" };

/** The limit of issuers, which later Kubernetes versions have. */
const maxIssuers = 64;

/** Returns the issuers that flags or a document name. Rejects with a ConfigurationError that lists every problem. */
export async function jwtIssuers({ oidc, configFile }: IssuersConfig): Promise<readonly JwtIssuer[]> {
  if (configFile !== undefined) {
    return readIssuers(configFile);
  }
  return oidc === undefined ? [] : [await issuerOfFlags(oidc)];
}

async function issuerOfFlags(oidc: OidcConfig): Promise<JwtIssuer> {
  const { caFile, groupsClaim, groupsPrefix } = oidc;
  const certificateAuthorityPem = caFile === undefined ? undefined : await readFile(caFile, "utf8");
  if (certificateAuthorityPem !== undefined && certificatesOf(certificateAuthorityPem).length === 0) {
    throw new ConfigurationError("flags", [problemAt("--oidc-ca-file", "holds no certificate")]);
  }
  return {
    url: oidc.issuerUrl,
    audiences: [oidc.clientId],
    certificateAuthorityPem,
    signingAlgorithms: oidc.signingAlgorithms,
    username: { claim: oidc.usernameClaim, prefix: oidc.usernamePrefix },
    groups: groupsClaim === "" ? undefined : { claim: groupsClaim, prefix: groupsPrefix },
    uidClaim: undefined,
    requiredClaims: oidc.requiredClaims,
  };
}

async function readIssuers(file: string): Promise<readonly JwtIssuer[]> {
  const document = await readConfigFile(file);
  const { jwt } = await checkConfigDocument<v1alpha1.AuthenticationConfiguration>(document, [configKind]);
  const problems: Problem[] = [];
  if (jwt.length === 0 || jwt.length > maxIssuers) {
    problems.push(problemAt("jwt", `must have from 1 to ${maxIssuers} issuers`));
  }
  const issuers = jwt.map((authenticator, index) => readIssuer(authenticator, `jwt[${index}]`, problems));
  for (const [index, { url }] of issuers.entries()) {
    if (issuers.findIndex((other) => other.url === url) < index) {
      problems.push(problemAt(`jwt[${index}].issuer.url`, `${JSON.stringify(url)} is there twice`));
    }
  }
  if (problems.length > 0) {
    throw new ConfigurationError(file, problems);
  }
  return issuers;
}

function readIssuer(authenticator: v1alpha1.JWTAuthenticator, at: string, problems: Problem[]): JwtIssuer {
  const { issuer, claimMappings, claimValidationRules = [] } = authenticator;
  const report = (path: string, text: string): void => void problems.push(problemAt(`${at}.${path}`, text));
  if (issuer.url === "") {
    report("issuer.url", "is required");
  }
  for (const text of issuerProblems(issuer.url)) {
    report("issuer.url", text);
  }
  if (issuer.audiences.length === 0) {
    report("issuer.audiences", "must have an audience");
  }
  for (const [index, audience] of issuer.audiences.entries()) {
    if (audience === "") {
      report(`issuer.audiences[${index}]`, "must have a name");
    }
  }
  const authority = issuer.certificateAuthority ?? "";
  if (authority !== "" && certificatesOf(authority).length === 0) {
    report("issuer.certificateAuthority", "holds no certificate");
  }
  refuseExpressions(authenticator, report);
  for (const [index, { valueExpression }] of (claimMappings.extra ?? []).entries()) {
    if (valueExpression === "") {
      report(`claimMappings.extra[${index}].valueExpression`, "is required");
    }
  }
  for (const [index, { claim = "", expression = "", message = "" }] of claimValidationRules.entries()) {
    if (claim !== "" && message !== "") {
      report(`claimValidationRules[${index}].message`, "can't be set when claim is set");
    }
    if (claim === "" && expression === "") {
      report(`claimValidationRules[${index}]`, "claim or expression is required");
    } else if (claimValidationRules.findIndex((rule) => rule.claim === claim) < index && claim !== "") {
      report(`claimValidationRules[${index}].claim`, `${JSON.stringify(claim)} is there twice`);
    }
  }
  const { username, groups, uid } = claimMappings;
  return {
    url: issuer.url,
    audiences: issuer.audiences,
    certificateAuthorityPem: authority === "" ? undefined : authority,
    signingAlgorithms,
    username: prefixedClaim(username, "claimMappings.username", true, report) ?? { claim: "", prefix: "" },
    groups: prefixedClaim(groups, "claimMappings.groups", false, report),
    uidClaim: uid?.claim === undefined || uid.claim === "" ? undefined : uid.claim,
    requiredClaims: new Map(claimValidationRules.map(({ claim = "", requiredValue = "" }) => [claim, requiredValue])),
  };
}

type Report = (path: string, text: string) => void;

/** Refuses by name all that needs the expression language: ignoring it would let in users whom it keeps out. */
function refuseExpressions(
  { claimMappings, claimValidationRules = [], userValidationRules = [] }: v1alpha1.JWTAuthenticator,
  report: Report,
): void {
  const places: readonly (readonly [string, string | undefined])[] = [
    ["claimMappings.username.expression", claimMappings.username.expression],
    ["claimMappings.groups.expression", claimMappings.groups?.expression],
    ["claimMappings.uid.expression", claimMappings.uid?.expression],
    ...(claimMappings.extra ?? []).map(
      ({ valueExpression }, index) => [`claimMappings.extra[${index}].valueExpression`, valueExpression] as const,
    ),
    ...claimValidationRules.map(
      ({ expression }, index) => [`claimValidationRules[${index}].expression`, expression] as const,
    ),
    ...userValidationRules.map(
      ({ expression }, index) => [`userValidationRules[${index}].expression`, expression] as const,
    ),
  ];
  for (const [path, expression] of places) {
    if (expression !== undefined && expression !== "") {
      report(path, "expressions come with a later part");
    }
  }
}

function prefixedClaim(
  mapping: v1alpha1.PrefixedClaimOrExpression | undefined,
  path: string,
  isRequired: boolean,
  report: Report,
): PrefixedClaim | undefined {
  const { claim = "", prefix, expression = "" } = mapping ?? {};
  if (expression !== "") {
    return undefined;
  }
  if (claim === "") {
    if (isRequired) {
      report(path, "claim or expression is required");
    }
    return undefined;
  }
  if (prefix === undefined || prefix === null) {
    report(`${path}.prefix`, "is required with a claim; it may be empty");
  }
  return { claim, prefix: prefix ?? "" };
}
