import {
  type ClaimReader,
  issuerProblems,
  type JwtIssuer,
  type PrefixedClaim,
  signingAlgorithms,
} from "@gatehouse/component-base/identity-tokens";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { certificatesOf } from "@gatehouse/component-base/tls";
import type { apiserverconfigV1alpha1 as v1alpha1 } from "@gatehouse/envelopes/types";
import { FieldPath } from "@gatehouse/envelopes/validation";
import type { TypedExpression } from "@gatehouse/policies/admission-expressions";
import type { CompiledExpression } from "@gatehouse/policies/cel";
import { validateDomainPrefixedPath } from "../../validation/domain-prefixed-path.js";
import { FieldErrors } from "../../validation/field-errors.js";
import {
  compileClaimsExpression,
  compileUserExpression,
  extraReader,
  groupsReader,
  textReader,
  tokenCheck,
  type ValidationRule,
} from "./claim-expressions.js";

/** Adds a problem at a path below the authenticator. */
type Report = (path: string, text: string) => void;

/** Reads one authenticator of an AuthenticationConfiguration, and adds its problems. */
export function readJwtAuthenticator(
  { issuer, claimMappings, claimValidationRules = [], userValidationRules = [] }: v1alpha1.JWTAuthenticator,
  at: string,
  problems: Problem[],
): JwtIssuer {
  const report: Report = (path, text) => void problems.push(problemAt(`${at}.${path}`, text));
  validateIssuer(issuer, report);
  const { certificateAuthority: authority = "" } = issuer;
  const claimRules = readClaimRules(claimValidationRules, report);
  const { username, groups, uid, extra = [] } = claimMappings;
  const check = tokenCheck(claimRules, readUserRules(userValidationRules, report));
  return {
    url: issuer.url,
    audiences: issuer.audiences,
    certificateAuthorityPem: authority === "" ? undefined : authority,
    signingAlgorithms,
    username: readUsername(username, report),
    groups: readGroups(groups, report),
    uid: readUid(uid, report),
    requiredClaims: new Map(
      claimValidationRules.flatMap(({ claim = "", requiredValue = "" }) =>
        claim === "" ? [] : [[claim, requiredValue]],
      ),
    ),
    extra: readExtra(extra, report),
    ...(check === undefined ? {} : { check }),
  };
}

function validateIssuer({ url, audiences, certificateAuthority = "" }: v1alpha1.Issuer, report: Report): void {
  if (url === "") {
    report("issuer.url", "is required");
  }
  for (const text of issuerProblems(url)) {
    report("issuer.url", text);
  }
  if (audiences.length === 0) {
    report("issuer.audiences", "must have an audience");
  }
  for (const [index, audience] of audiences.entries()) {
    if (audience === "") {
      report(`issuer.audiences[${index}]`, "must have a name");
    }
  }
  if (certificateAuthority !== "" && certificatesOf(certificateAuthority).length === 0) {
    report("issuer.certificateAuthority", "holds no certificate");
  }
}

function readClaimRules(rules: readonly v1alpha1.ClaimValidationRule[], report: Report): readonly ValidationRule[] {
  return rules.flatMap(({ claim = "", expression = "", requiredValue = "", message = "" }, index) => {
    const path = `claimValidationRules[${index}]`;
    if (claim !== "" && expression !== "") {
      report(path, "claim and expression can't both be set");
      return [];
    }
    if (claim === "" && expression === "") {
      report(path, "claim or expression is required");
      return [];
    }
    if (claim !== "") {
      if (message !== "") {
        report(`${path}.message`, "message can't be set when claim is set");
      }
      if (rules.findIndex((rule) => rule.claim === claim && (rule.expression ?? "") === "") < index) {
        report(`${path}.claim`, `${JSON.stringify(claim)} is there twice`);
      }
      return [];
    }
    if (requiredValue !== "") {
      report(`${path}.requiredValue`, "requiredValue can't be set when expression is set");
    }
    if (rules.findIndex((rule) => rule.expression === expression && (rule.claim ?? "") === "") < index) {
      report(`${path}.expression`, `${JSON.stringify(expression)} is there twice`);
      return [];
    }
    const compiled = usable(compileClaimsExpression(expression, ["bool"]), `${path}.expression`, report);
    return compiled === undefined ? [] : [{ expression: compiled, message }];
  });
}

function readUserRules(rules: readonly v1alpha1.UserValidationRule[], report: Report): readonly ValidationRule[] {
  return rules.flatMap(({ expression, message = "" }, index) => {
    const path = `userValidationRules[${index}].expression`;
    if (expression === "") {
      report(path, "expression is required");
      return [];
    }
    if (rules.findIndex((rule) => rule.expression === expression) < index) {
      report(path, `${JSON.stringify(expression)} is there twice`);
      return [];
    }
    const compiled = usable(compileUserExpression(expression), path, report);
    return compiled === undefined ? [] : [{ expression: compiled, message }];
  });
}

function readUsername(mapping: v1alpha1.PrefixedClaimOrExpression, report: Report): JwtIssuer["username"] {
  const source = readPrefixed(mapping, "claimMappings.username", report);
  if (source === undefined) {
    if ((mapping.claim ?? "") === "" && (mapping.expression ?? "") === "") {
      report("claimMappings.username", "claim or expression is required");
    }
    return { claim: "", prefix: "" };
  }
  return "claim" in source ? source : textReader(source, "username");
}

function readGroups(mapping: v1alpha1.PrefixedClaimOrExpression | undefined, report: Report): JwtIssuer["groups"] {
  const source = readPrefixed(mapping ?? {}, "claimMappings.groups", report);
  return source === undefined || "claim" in source ? source : groupsReader(source);
}

/** Reads a claim with a prefix, or an expression; undefined for neither, and where there is a problem. */
function readPrefixed(
  { claim = "", prefix, expression = "" }: v1alpha1.PrefixedClaimOrExpression,
  path: string,
  report: Report,
): PrefixedClaim | CompiledExpression | undefined {
  if (claim !== "" && expression !== "") {
    report(path, "claim and expression can't both be set");
    return undefined;
  }
  if (expression !== "") {
    if (prefix !== undefined && prefix !== null) {
      report(`${path}.prefix`, "prefix can't be set when expression is set");
    }
    return usable(compileClaimsExpression(expression), `${path}.expression`, report);
  }
  if (claim === "") {
    return undefined;
  }
  if (prefix === undefined || prefix === null) {
    const text = "prefix is required when claim is set. It can be set to an empty string to disable prefixing";
    report(`${path}.prefix`, text);
  }
  return { claim, prefix: prefix ?? "" };
}

function readUid({ claim = "", expression = "" }: v1alpha1.ClaimOrExpression = {}, report: Report): JwtIssuer["uid"] {
  if (claim !== "" && expression !== "") {
    report("claimMappings.uid", "claim and expression can't both be set");
    return undefined;
  }
  if (expression === "") {
    return claim === "" ? undefined : claim;
  }
  const compiled = usable(compileClaimsExpression(expression), "claimMappings.uid.expression", report);
  return compiled === undefined ? undefined : textReader(compiled, "uid");
}

function readExtra(
  mappings: readonly v1alpha1.ExtraMapping[],
  report: Report,
): ReadonlyMap<string, ClaimReader<readonly string[]>> {
  const extra = new Map<string, ClaimReader<readonly string[]>>();
  for (const [index, { key, valueExpression }] of mappings.entries()) {
    const path = `claimMappings.extra[${index}]`;
    validateExtraKey(key, `${path}.key`, report);
    if (mappings.findIndex((other) => other.key === key) < index) {
      report(`${path}.key`, `${JSON.stringify(key)} is there twice`);
    } else if (valueExpression === "") {
      report(`${path}.valueExpression`, "valueExpression is required");
    } else {
      const compiled = usable(compileClaimsExpression(valueExpression), `${path}.valueExpression`, report);
      if (compiled !== undefined) {
        extra.set(key, extraReader(compiled));
      }
    }
  }
  return extra;
}

function validateExtraKey(key: string, path: string, report: Report): void {
  const errors = new FieldErrors();
  validateDomainPrefixedPath(key, FieldPath.of("key"), errors);
  for (const { message } of errors.list) {
    report(path, message);
  }
  if (key !== key.toLowerCase()) {
    report(path, "key must be lowercase");
  }
}

/** Returns a compiled expression; reports its problem and returns undefined if it has one. */
function usable(
  { expression, problem }: TypedExpression,
  path: string,
  report: Report,
): CompiledExpression | undefined {
  if (problem !== undefined) {
    report(path, problem);
  }
  return expression;
}
