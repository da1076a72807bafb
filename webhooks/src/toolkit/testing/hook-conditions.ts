import type { MaybePromise } from "@gatehouse/envelopes/scheduling";
import { AdmissionVariables, MatchConditions, type MatchOutcome } from "@gatehouse/policies/admission-expressions";
import type { Hook } from "../hooks/hook.js";
import type { GivenWrite } from "./given-write.js";

const compiled = new WeakMap<Hook, MatchConditions>();

/** Evaluates the match conditions of a hook, as a server does before it calls it. */
export function matchHook(hook: Hook, write: GivenWrite): MaybePromise<MatchOutcome> {
  if (hook.matchConditions.length === 0) {
    return "matches";
  }
  const variables = new AdmissionVariables({ write, source: write, objects: write, hasAuthorizer: true });
  return conditionsOf(hook).match(variables, write);
}

function conditionsOf(hook: Hook): MatchConditions {
  let conditions = compiled.get(hook);
  if (conditions === undefined) {
    conditions = new MatchConditions({
      conditions: hook.matchConditions.map((condition) => ({ ...condition })),
      hasParams: false,
      ignoresFailure: hook.failurePolicy === "Ignore",
    });
    compiled.set(hook, conditions);
  }
  return conditions;
}
