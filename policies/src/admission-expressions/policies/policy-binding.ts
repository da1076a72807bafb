import { isSet, type JsonObject, objectAt, textAt, textsAt, valueAt } from "@gatehouse/envelopes/json";
import { compileMatchResources, type MatchResources } from "../matching/match-resources.js";
import { type Selector, selectorAt } from "../matching/selector.js";

/** A consequence of a validation that fails. */
export type ValidationAction = "Deny" | "Warn" | "Audit";

/** A ValidatingAdmissionPolicyBinding, ready for use: it puts a policy into effect for some writes. */
export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  /** The writes that it is about, of those of the policy; undefined for all. */
  readonly matchResources: MatchResources | undefined;
  readonly paramRef: ParamRef | undefined;
  /** The actions of a failed validation, in the order in which the binding states them. */
  readonly actions: readonly ValidationAction[];
}

/** A reference to the objects that parameterize a policy: by name, or by labels. */
export interface ParamRef {
  /** The name; empty for a reference by labels. */
  readonly name: string;
  /** The namespace of the objects; empty for that of the write. */
  readonly namespace: string;
  /** The selector; undefined for a reference by name. */
  readonly selector: Selector | undefined;
  /** True if there must be an object (`parameterNotFoundAction: Deny`). */
  readonly isRequired: boolean;
}

/** Compiles a ValidatingAdmissionPolicyBinding. */
export function compileBinding(binding: JsonObject): PolicyBinding {
  return {
    name: textAt(binding, "metadata", "name"),
    policyName: textAt(binding, "spec", "policyName"),
    matchResources: isSet(binding, "spec", "matchResources")
      ? compileMatchResources(objectAt(binding, "spec", "matchResources"))
      : undefined,
    paramRef: isSet(binding, "spec", "paramRef") ? paramRefOf(objectAt(binding, "spec", "paramRef")) : undefined,
    actions: textsAt(binding, "spec", "validationActions") as ValidationAction[],
  };
}

function paramRefOf(reference: JsonObject): ParamRef {
  return {
    name: textAt(reference, "name"),
    namespace: textAt(reference, "namespace"),
    selector: isSet(reference, "selector") ? selectorAt(reference, "selector") : undefined,
    isRequired: valueAt(reference, "parameterNotFoundAction") === "Deny",
  };
}
