import type { Finding } from "@gatehouse/component-base/manifests";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { definitionProblems, isDefinition } from "../../../toolkit/testing/custom-kind.js";
import { isPolicy, policyProblems } from "../../../toolkit/testing/policy-set.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";
import { type AdmissionWorld, type DetailedOutcome, putToHooks } from "../../../toolkit/testing/put-to-hooks.js";
import { auditedFailure } from "../policies/audited-failure.js";
import { manifestRule } from "./check-report.js";

/** A finding without its place. */
export type Verdict = Pick<Finding, "rule" | "level" | "message">;

/** Returns the findings of hooks, policies, definitions and schemas about a manifest, as if it were created. */
export async function judgeManifest(world: AdmissionWorld, content: JsonObject): Promise<readonly Verdict[]> {
  const missing = ["apiVersion", "kind"].filter((name) => typeof content[name] !== "string");
  if (missing.length > 0) {
    return missing.map((name) => refusal(`${name}: is required, and must be text`));
  }
  try {
    const outcome = await putToHooks(world, { object: content });
    return [...problemsOf(content).map(refusal), ...verdictsOf(outcome)];
  } catch (error) {
    if (error instanceof BadObjectError) {
      return [refusal(error.message)];
    }
    throw error;
  }
}

function problemsOf(content: JsonObject): readonly string[] {
  return isPolicy(content) ? policyProblems(content) : isDefinition(content) ? definitionProblems(content) : [];
}

/** Returns the finding of a manifest that no server would take. */
export function refusal(message: string): Verdict {
  return { rule: manifestRule, level: "error", message };
}

function verdictsOf(outcome: DetailedOutcome): readonly Verdict[] {
  const { decidedBy = manifestRule, message = "", warnings, warnedBy } = outcome;
  const denial: readonly Verdict[] =
    outcome.outcome === "allowed" ? [] : [{ rule: decidedBy, level: "error", message }];
  return [
    ...denial,
    ...warnings.map((text, index) => verdict(warnedBy[index], "warning", text)),
    ...outcome.undecided.map(({ by, missing }) =>
      verdict(by, "warning", `cannot be told here, since it asks for ${missing.join(" and ")}`),
    ),
    ...outcome.excluded.map((hook) => verdict(hook, "note", "is not asked: its match conditions exclude the object")),
    ...outcome.verdicts.flatMap((decided) => {
      const failure = auditedFailure(decided);
      return failure === undefined || decided.missing.length > 0
        ? []
        : [verdict(decided.policy, "note", `would be noted in the audit event: ${failure}`)];
    }),
  ];
}

function verdict(rule: string | undefined, level: Finding["level"], message: string): Verdict {
  return { rule: rule ?? manifestRule, level, message };
}
