import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type ConfigDocument, checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type ClaimMapping, issuerProblems, type JwtIssuer } from "@gatehouse/component-base/identity-tokens";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { certificatesOf } from "@gatehouse/component-base/tls";
import type { gatehousetokenreviewV1alpha1 as v1alpha1 } from "@gatehouse/envelopes/types";
import { documentHash } from "../review-program/document-hash.js";
import type { IntrospectionServer } from "./introspection-source.js";
import { secretFile } from "./secret-file.js";

/** The checked configuration: audiences, issuers, introspection servers and the cache. */
export interface TokenReviewConfiguration {
  readonly audiences: readonly string[];
  readonly issuers: readonly JwtIssuer[];
  readonly introspection: readonly IntrospectionServer[];
  readonly cacheTtlMs: number;
  /** Hash of the content of the document. */
  readonly hash: string;
}

const kind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "TokenReviewConfiguration" };
const defaultCacheTtlSeconds = 60;
/** Largest number of issuers and introspection servers together. */
const maxSources = 64;

/** Reads the document, and the files that it names. Rejects with a ConfigurationError that lists every problem. */
export async function readTokenReviewConfiguration(file: string): Promise<TokenReviewConfiguration> {
  const document = await readConfigFile(file);
  const content = await checkConfigDocument<v1alpha1.TokenReviewConfiguration>(document, [kind]);
  const { audiences, issuers = [], introspection = [], cacheTTLSeconds = defaultCacheTtlSeconds } = content;
  const problems: Problem[] = [];
  validateAudiences(audiences, "audiences", problems);
  if (issuers.length + introspection.length === 0 || issuers.length + introspection.length > maxSources) {
    problems.push(problemAt("issuers", `there must be from 1 to ${maxSources} issuers and introspection servers`));
  }
  validateDistinct(issuers, "issuers", problems);
  validateDistinct(introspection, "introspection", problems);
  const read = {
    audiences,
    issuers: await Promise.all(
      issuers.map((issuer, index) => readIssuer(issuer, `issuers[${index}]`, document, problems)),
    ),
    introspection: await Promise.all(
      introspection.map((server, index) => readServer(server, `introspection[${index}]`, document, problems)),
    ),
    cacheTtlMs: cacheTTLSeconds * 1000,
    hash: documentHash(document.content),
  };
  if (problems.length > 0) {
    throw new ConfigurationError(document.subject, problems);
  }
  return read;
}

async function readIssuer(
  issuer: v1alpha1.TokenIssuer,
  at: string,
  document: ConfigDocument,
  problems: Problem[],
): Promise<JwtIssuer> {
  const { url, audiences, algorithms = ["RS256"] } = issuer;
  validateUrl(url, `${at}.url`, problems);
  validateAudiences(audiences, `${at}.audiences`, problems);
  const certificateAuthorityPem = await readAuthority(issuer, at, document, problems);
  return {
    url,
    audiences,
    signingAlgorithms: algorithms,
    certificateAuthorityPem,
    ...readMapping(issuer, at, problems),
  };
}

async function readServer(
  server: v1alpha1.TokenIntrospection,
  at: string,
  document: ConfigDocument,
  problems: Problem[],
): Promise<IntrospectionServer> {
  const { url, audiences, clientID, clientSecretFile, certificateAuthority } = server;
  validateUrl(url, `${at}.url`, problems);
  validateAudiences(audiences, `${at}.audiences`, problems);
  await readAuthority(server, at, document, problems);
  const clientSecret = secretFile(resolve(document.folder, clientSecretFile));
  await clientSecret.read().catch(() => {
    problems.push(problemAt(`${at}.clientSecretFile`, "holds no secret"));
  });
  return {
    url,
    clientId: clientID,
    clientSecret,
    audiences,
    certificateAuthorityFile:
      certificateAuthority === undefined ? undefined : resolve(document.folder, certificateAuthority),
    claims: readMapping(server, at, problems),
  };
}

function validateUrl(url: string, path: string, problems: Problem[]): void {
  const texts = url === "" ? ["is required"] : issuerProblems(url);
  problems.push(...texts.map((text) => problemAt(path, text)));
}

function validateAudiences(audiences: readonly string[], path: string, problems: Problem[]): void {
  if (audiences.length === 0 || audiences.includes("")) {
    problems.push(problemAt(path, "must have an audience, and none without a name"));
  }
}

function validateDistinct(sources: readonly { readonly url: string }[], path: string, problems: Problem[]): void {
  for (const [index, { url }] of sources.entries()) {
    if (sources.findIndex((other) => other.url === url) < index) {
      problems.push(problemAt(`${path}[${index}].url`, `${JSON.stringify(url)} is there twice`));
    }
  }
}

async function readAuthority(
  { certificateAuthority }: v1alpha1.TokenIssuer | v1alpha1.TokenIntrospection,
  at: string,
  { folder }: ConfigDocument,
  problems: Problem[],
): Promise<string | undefined> {
  if (certificateAuthority === undefined) {
    return undefined;
  }
  const pem = await readFile(resolve(folder, certificateAuthority), "utf8").catch(() => "");
  if (certificatesOf(pem).length === 0) {
    problems.push(problemAt(`${at}.certificateAuthority`, "holds no certificate"));
  }
  return pem;
}

function readMapping(
  { url, claimMappings = {}, requiredClaims = {} }: v1alpha1.TokenIssuer | v1alpha1.TokenIntrospection,
  at: string,
  problems: Problem[],
): ClaimMapping {
  const { username = { claim: "sub" }, groups, uid, extra = [] } = claimMappings;
  for (const [index, { key }] of extra.entries()) {
    const path = `${at}.claimMappings.extra[${index}].key`;
    if (key === "" || key !== key.toLowerCase()) {
      problems.push(problemAt(path, "must be in lower case, and not empty"));
    }
    if (extra.findIndex((other) => other.key === key) < index) {
      problems.push(problemAt(path, `${JSON.stringify(key)} is there twice`));
    }
  }
  return {
    username: { claim: username.claim, prefix: username.prefix ?? (username.claim === "email" ? "" : `${url}#`) },
    groups: groups === undefined ? undefined : { claim: groups.claim, prefix: groups.prefix ?? "" },
    uid,
    requiredClaims: new Map(Object.entries(requiredClaims)),
    extra: new Map(extra.map(({ key, claim }) => [key, claim])),
  };
}
