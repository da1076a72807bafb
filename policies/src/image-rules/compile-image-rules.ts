import type { gatehouseimagesV1alpha1 } from "@gatehouse/envelopes/types";
import { compileGlobs } from "../glob/glob.js";
import { imageReferenceProblem } from "../images/check-image-reference.js";
import { describeImage, type ImageReference, parseImageReference } from "../images/image-reference.js";
import { type CompiledException, compileException } from "./image-exceptions.js";
import { compileImagePattern } from "./image-pattern.js";
import type { ImageUse, ImageVerdict } from "./image-verdict.js";

/** Compiled rules, which decide about images. */
export interface CompiledImageRules {
  /** Returns the verdict about an image; `now` in milliseconds since 1970, because exceptions expire. */
  decide(image: string, use: ImageUse, now: number): ImageVerdict;
  /**
   * Returns the part of a use that the rules consider: while no time limit passes, uses with the same text get the same
   * verdict.
   */
  relevantPart(use: ImageUse): string;
  /** Returns the time after `now` at which the verdict may change although nothing else does: the next expiry. */
  nextExpiry(now: number): number;
}

interface CompiledRule {
  readonly name: string;
  readonly isAllowed: boolean;
  readonly requireDigest: boolean;
  readonly reason: string;
  fits(image: ImageReference, use: ImageUse): boolean;
}

/** Makes rules ready. They must have been checked by `imageRulesProblems`. */
export function compileImageRules(document: gatehouseimagesV1alpha1.ImageRules): CompiledImageRules {
  const rules = (document.rules ?? []).map(compileRule);
  const exceptions = (document.exceptions ?? []).map(compileException);
  return {
    decide(image, use, now) {
      const reference = parseImageReference(image);
      const problem = imageReferenceProblem(image, reference);
      if (problem !== undefined) {
        return { isAllowed: false, decidedBy: "invalid", reason: `${quote(image)} is no image: ${problem}` };
      }
      const shown = describeImage(image, reference);
      const verdict = byRules(rules, document.default === "Allow", shown, reference, use);
      return verdict.isAllowed ? verdict : byExceptions(exceptions, verdict, shown, reference, use, now);
    },
    relevantPart: relevantPartOf(document),
    nextExpiry: (now) => Math.min(...exceptions.map(({ expiresAt }) => expiresAt).filter((at) => at > now)),
  };
}

function relevantPartOf({
  rules = [],
  exceptions = [],
}: gatehouseimagesV1alpha1.ImageRules): (use: ImageUse) => string {
  const looksAtNamespace = [...rules, ...exceptions].some(({ namespaces = [] }) => namespaces.length > 0);
  const keys = [...new Set(exceptions.flatMap(({ annotation }) => (annotation ? [annotation.key] : [])))];
  return looksAtNamespace || keys.length > 0
    ? ({ namespace, annotations }) =>
        JSON.stringify([looksAtNamespace ? namespace : "", ...keys.map((key) => annotations.get(key) ?? null)])
    : () => "";
}

function compileRule(rule: gatehouseimagesV1alpha1.ImageRule): CompiledRule {
  const { name, action, requireDigest = false, reason = "" } = rule;
  const fitsImage = compileImagePattern(rule);
  const fitsNamespace = compileGlobs(rule.namespaces);
  return {
    name,
    isAllowed: action === "Allow",
    requireDigest,
    reason,
    fits: (image, { namespace }) => fitsNamespace(namespace) && fitsImage(image),
  };
}

function byRules(
  rules: readonly CompiledRule[],
  defaultIsAllowed: boolean,
  shown: string,
  reference: ImageReference,
  use: ImageUse,
): ImageVerdict {
  const rule = rules.find((candidate) => candidate.fits(reference, use));
  if (rule === undefined) {
    const what = defaultIsAllowed ? "is allowed" : "is denied";
    return { isAllowed: defaultIsAllowed, decidedBy: "default", reason: `${shown} ${what}: no rule fits it` };
  }
  const because = rule.reason === "" ? "" : `: ${rule.reason}`;
  const { name, isAllowed } = rule;
  if (isAllowed && rule.requireDigest && reference.digest === "") {
    const reason = `${shown} is denied by rule ${quote(name)}, which requires a digest${because}`;
    return { isAllowed: false, decidedBy: name, reason };
  }
  const what = isAllowed ? "allowed" : "denied";
  return { isAllowed, decidedBy: name, reason: `${shown} is ${what} by rule ${quote(name)}${because}` };
}

/** Returns the verdict by exceptions. An expired one allows nothing, but is named in the denial. */
function byExceptions(
  exceptions: readonly CompiledException[],
  denial: ImageVerdict,
  shown: string,
  reference: ImageReference,
  use: ImageUse,
  now: number,
): ImageVerdict {
  const fitting = exceptions.filter((exception) => exception.fits(reference, use));
  const valid = fitting.find(({ expiresAt }) => now < expiresAt);
  if (valid !== undefined) {
    const { name, reason } = valid;
    return {
      isAllowed: true,
      decidedBy: name,
      reason: `${shown} is allowed by exception ${quote(name)}: ${reason}`,
    };
  }
  const [expired] = fitting;
  return expired === undefined
    ? denial
    : {
        ...denial,
        reason: `${denial.reason} (exception ${quote(expired.name)} has expired at ${new Date(expired.expiresAt).toISOString()})`,
      };
}

function quote(text: string): string {
  return JSON.stringify(text);
}
