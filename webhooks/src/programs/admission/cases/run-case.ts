import { basename, dirname } from "node:path";
import { checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { SourceDocument } from "@gatehouse/component-base/manifests";
import { problemAt } from "@gatehouse/component-base/problems";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { isSameDocument } from "@gatehouse/envelopes/json-patch";
import type { gatehouseadmissionV1alpha1 } from "@gatehouse/envelopes/types";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import type { AdmissionOutcome } from "../../../toolkit/testing/admission-outcome.js";
import { admit } from "../../../toolkit/testing/admit.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";

type HookCase = gatehouseadmissionV1alpha1.HookCase;
type Expectation = gatehouseadmissionV1alpha1.HookCaseOutcome;

/** The result of one case. */
export interface CaseResult {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** Differences from the expectation, as sentences; none when the case has passed. */
  readonly failures: readonly string[];
}

const kind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "HookCase" };

/**
 * Runs one case (kind HookCase). Rejects with ConfigurationError when the document is no case, or names a hook that
 * does not exist.
 */
export async function runCase(hooks: readonly Hook[], source: SourceDocument): Promise<CaseResult> {
  const subject = `${source.file}:${source.line}`;
  const document = { subject, folder: dirname(source.file), content: source.content };
  const { name, hook, given, expect } = await checkConfigDocument<HookCase>(document, [kind]);
  const chosen = hook === undefined ? hooks : hooks.filter((candidate) => candidate.name === hook);
  if (chosen.length === 0) {
    throw new ConfigurationError(subject, [problemAt("hook", `there is no hook ${hook}`)]);
  }
  const result = (failures: readonly string[]): CaseResult => ({
    name: name ?? basename(source.file).replace(/\.\w+$/, ""),
    file: source.file,
    line: source.line,
    failures,
  });
  try {
    const outcome = await admit(chosen, given);
    return result(
      hook !== undefined && outcome.asked.length === 0
        ? [`${hook} is not asked about this request: ${whyNot(outcome)}`]
        : differences(outcome, expect),
    );
  } catch (error) {
    if (error instanceof BadObjectError) {
      return result([`given: ${error.message}`]);
    }
    throw error;
  }
}

function whyNot({ excluded }: AdmissionOutcome): string {
  return excluded.length > 0 ? "its match conditions exclude it" : "none of its rules match";
}

function differences(outcome: AdmissionOutcome, expect: Expectation): string[] {
  const failures: string[] = [];
  const { fails = false } = expect;
  if (fails !== (outcome.outcome === "failed")) {
    failures.push(
      fails
        ? `expected a failure to decide, was ${outcome.outcome}`
        : `${outcome.decidedBy} failed to decide: ${outcome.message}`,
    );
    return failures;
  }
  const compare = (what: string, expected: unknown, actual: unknown): void => {
    if (expected !== undefined && expected !== null && !isSameDocument(expected as JsonValue, actual as JsonValue)) {
      failures.push(`${what}: expected ${show(expected)}, was ${show(actual)}`);
    }
  };
  compare("allowed", expect.allowed, outcome.outcome === "allowed");
  compare("message", expect.message, outcome.message ?? null);
  compare("warnings", expect.warnings, outcome.warnings);
  compare("auditAnnotations", expect.auditAnnotations, outcome.auditAnnotations);
  compare("patch", expect.patch, outcome.patch);
  if (expect.object) {
    failures.push(...missing(expect.object, outcome.object ?? null, "object"));
  }
  return failures;
}

/**
 * Returns the members that differ from the wanted ones, as sentences. Lists must be equal in length and order; objects
 * may have other members.
 */
function missing(wanted: JsonValue, actual: JsonValue | undefined, path: string): string[] {
  if (isJsonObject(wanted) && isJsonObject(actual)) {
    return Object.keys(wanted).flatMap((key) =>
      missing(wanted[key] ?? null, Object.hasOwn(actual, key) ? actual[key] : undefined, `${path}.${key}`),
    );
  }
  if (Array.isArray(wanted) && Array.isArray(actual) && wanted.length === actual.length) {
    return wanted.flatMap((item, index) => missing(item, actual[index], `${path}[${index}]`));
  }
  return actual !== undefined && isSameDocument(wanted, actual)
    ? []
    : [`${path}: expected ${show(wanted)}, was ${show(actual)}`];
}

function show(value: unknown): string {
  return value === undefined ? "absent" : encodeJson(value as JsonObject);
}
