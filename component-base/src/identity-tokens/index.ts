export { type Claims, cannotUnmarshal, goSeconds, knownClaim } from "./go-claims.js";
export {
  type IdentityTokens,
  type IdentityTokensOptions,
  type IdentityTokenVerdict,
  openIdentityTokens,
} from "./identity-tokens.js";
export type { KeyShelf, KeyTiming, KnownKeys } from "./issuer-keys.js";
export { issuerProblems } from "./issuer-url.js";
export { type JoseHeader, readJoseHeader } from "./jose-header.js";
export {
  type ClaimMapping,
  type ClaimReader,
  type JwtIssuer,
  type PrefixedClaim,
  signingAlgorithms,
  type TokenUser,
} from "./jwt-issuer.js";
export { userOfClaims } from "./user-of-claims.js";
