import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Hook } from "../hooks/hook.js";
import type { AdmissionOutcome } from "./admission-outcome.js";
import type { GivenRequest } from "./build-review.js";
import type { TestAuthorizer } from "./given-write.js";
import { PolicyObjects } from "./policy-objects.js";
import { PolicySet } from "./policy-set.js";
import { putToHooks } from "./put-to-hooks.js";

/** Options of `admit()`. */
export interface AdmitOptions {
  /**
   * ValidatingAdmissionPolicies and their bindings, which decide after the mutating hooks. Their parameters, and the
   * namespaces that they look at, are found in `existing` of the request; a namespace that is not there has no labels.
   */
  readonly policies?: readonly JsonObject[];
  /**
   * CustomResourceDefinitions. Objects of their kinds get the defaults of the schema, and are refused by the schema and its
   * rules after the mutating hooks.
   */
  readonly definitions?: readonly JsonObject[];
  /** Answers the questions of expressions with the variable `authorizer`. Required when one of them asks. */
  readonly authorizer?: TestAuthorizer;
}

/**
 * Puts a request to hooks as a server would, without one. Reviews pass the validation of real ones; mutating hooks are
 * asked before validating ones and see each other's changes. Hooks whose match conditions exclude the request are not
 * asked. Rejects with BadObjectError for an object or a policy that no server would accept, and with TypeError when an
 * expression asks for what the test has not given.
 *
 * @example
 * const outcome = await admit([noLatestTag], {
 *   object: { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers: [] } },
 * });
 * assert.equal(outcome.outcome, "allowed");
 */
export async function admit(
  hooks: readonly Hook[],
  given: GivenRequest,
  { policies = [], definitions = [], authorizer }: AdmitOptions = {},
): Promise<AdmissionOutcome> {
  const objects = new PolicyObjects([...definitions, ...(given.existing ?? [])]);
  const world = { hooks, policies: new PolicySet(policies), objects, authorizer };
  const { undecided, verdicts: _, ...outcome } = await putToHooks(world, given);
  if (undecided.length > 0) {
    const told = undecided.map(({ by, missing }) => `${by} asks for ${missing.join(" and ")}`);
    throw new TypeError(`the test gives no answer: ${told.join("; ")}`);
  }
  return outcome;
}
