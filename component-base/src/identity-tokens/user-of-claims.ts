import { ClaimsError } from "../errors.js";
import { type Claims, cannotUnmarshal, goString, goStrings, ownClaim } from "./go-claims.js";
import type { ClaimMapping, TokenUser } from "./jwt-issuer.js";

/** Returns the user of a verified token. Throws ClaimsError for one that names none, or lacks a required claim. */
export function userOfClaims(mapping: ClaimMapping, claims: Claims): TokenUser {
  const username = usernameOf(mapping, claims);
  const groups = groupsOf(mapping, claims);
  const uid = uidOf(mapping, claims);
  const extra = extraOf(mapping, claims);
  checkRequired(mapping, claims);
  const user = { username, ...(uid === "" ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) };
  mapping.check?.(claims, user);
  return user;
}

function usernameOf({ username }: ClaimMapping, claims: Claims): string {
  if (typeof username === "function") {
    return username(claims);
  }
  const { claim, prefix } = username;
  const text = claimText("username claims", claim, claims);
  if (claim === "email" && Object.hasOwn(claims, "email_verified")) {
    const verified = claims["email_verified"];
    if (verified !== null && typeof verified !== "boolean") {
      throw new ClaimsError(`oidc: parse 'email_verified' claim: ${cannotUnmarshal(verified, "bool")}`);
    }
    if (verified !== true) {
      throw new ClaimsError("oidc: email not verified");
    }
  }
  return prefix + text;
}

function groupsOf({ groups }: ClaimMapping, claims: Claims): readonly string[] {
  if (typeof groups === "function") {
    return groups(claims);
  }
  if (groups === undefined || !Object.hasOwn(claims, groups.claim)) {
    return [];
  }
  const { claim, prefix } = groups;
  return within(`oidc: parse groups claim ${JSON.stringify(claim)}`, () =>
    goStrings(claims[claim]).map((group) => prefix + group),
  );
}

function uidOf({ uid }: ClaimMapping, claims: Claims): string {
  return typeof uid === "function" ? uid(claims) : uid === undefined ? "" : claimText("uid claim", uid, claims);
}

/** Returns the extra attributes of a user; a claim without a value gives none. Keys come from the configuration. */
function extraOf(mapping: ClaimMapping, claims: Claims): TokenUser["extra"] {
  const extra: Record<string, readonly string[]> = {};
  for (const [key, source] of mapping.extra ?? []) {
    const values = typeof source === "function" ? source(claims) : extraClaim(source, claims);
    if (values.length > 0) {
      extra[key] = values;
    }
  }
  return Object.keys(extra).length === 0 ? undefined : extra;
}

function extraClaim(claim: string, claims: Claims): readonly string[] {
  return Object.hasOwn(claims, claim)
    ? within(`oidc: parse extra claim ${JSON.stringify(claim)}`, () => goStrings(claims[claim]))
    : [];
}

function checkRequired({ requiredClaims }: ClaimMapping, claims: Claims): void {
  for (const [claim, wanted] of requiredClaims) {
    if (!Object.hasOwn(claims, claim)) {
      throw new ClaimsError(`oidc: required claim ${claim} not present in ID token`);
    }
    const value = within(`oidc: parse claim ${claim}`, () => goString(claims[claim]));
    if (value !== wanted) {
      throw new ClaimsError(`oidc: required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`);
    }
  }
}

function claimText(what: string, claim: string, claims: Claims): string {
  return within(`oidc: parse ${what} ${JSON.stringify(claim)}`, () => goString(ownClaim(claims, claim)));
}

function within<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ClaimsError ? new ClaimsError(`${what}: ${error.message}`, { cause: error }) : error;
  }
}
