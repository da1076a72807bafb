import { readFile } from "node:fs/promises";
import { checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { JwtIssuer } from "@gatehouse/component-base/identity-tokens";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { certificatesOf } from "@gatehouse/component-base/tls";
import type { apiserverconfigV1alpha1 as v1alpha1 } from "@gatehouse/envelopes/types";
import type { IssuersConfig, OidcConfig } from "../../options/oidc.js";
import { readJwtAuthenticator } from "./read-jwt-authenticator.js";

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
    uid: undefined,
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
  const issuers = jwt.map((authenticator, index) => readJwtAuthenticator(authenticator, `jwt[${index}]`, problems));
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
