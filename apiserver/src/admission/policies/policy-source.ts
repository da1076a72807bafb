import type { AdmissionAttributes } from "../attributes.js";
import { type MatchedResources, matchedResources } from "../matching/match-resources.js";
import { PerSortOfWrite } from "../matching/per-sort-of-write.js";
import type { ObjectAccess, ObjectView } from "../object-access.js";
import type { ObjectInterfaces } from "../object-interfaces.js";
import { Policy } from "./policy.js";
import { compileBinding, type PolicyBinding } from "./policy-binding.js";

const group = "admissionregistration.k8s.io";
export const policiesResource = Object.freeze({ group, resource: "validatingadmissionpolicies" });

/** A policy whose rules match a sort of write. Names and selectors are not yet matched. */
export interface PolicyCandidate {
  readonly policy: Policy;
  readonly match: MatchedResources;
  readonly bindings: readonly BindingCandidate[];
}

/** A binding of such a policy, whose own rules match, too. */
export interface BindingCandidate {
  readonly binding: PolicyBinding;
  /** Undefined for a binding that is about all writes of its policy. */
  readonly match: MatchedResources | undefined;
}

/**
 * The policies and bindings as they are now, in the order of their names. Matching rules are computed once for each sort
 * of write, and again when a policy, a binding or the set of served resources changes.
 */
export class PolicySource {
  readonly #policies: ObjectView<Policy>;
  readonly #bindings: ObjectView<PolicyBinding>;
  readonly #forms: ObjectInterfaces;
  readonly #candidates = new PerSortOfWrite<readonly PolicyCandidate[]>();

  constructor(objects: ObjectAccess, forms: ObjectInterfaces) {
    this.#policies = objects.view(policiesResource, (policy) => new Policy(policy));
    this.#bindings = objects.view({ group, resource: "validatingadmissionpolicybindings" }, compileBinding);
    this.#forms = forms;
  }

  /** Lists the policies whose rules match a write. */
  candidates(attributes: AdmissionAttributes): readonly PolicyCandidate[] {
    const policies = this.#policies.list("");
    if (policies.length === 0) {
      return none;
    }
    const bindings = this.#bindings.list("");
    return this.#candidates.get(attributes, [policies, bindings, this.#forms.served], () =>
      policies.flatMap((policy) => {
        const match = matchedResources(policy.constraints, attributes, this.#forms);
        return match === undefined ? [] : [{ policy, match, bindings: this.#bindingsOf(policy, bindings, attributes) }];
      }),
    );
  }

  #bindingsOf(
    { name }: Policy,
    bindings: readonly PolicyBinding[],
    attributes: AdmissionAttributes,
  ): readonly BindingCandidate[] {
    return bindings.flatMap((binding) => {
      const { policyName, matchResources } = binding;
      const match = matchResources && matchedResources(matchResources, attributes, this.#forms);
      const isCandidate = policyName === name && (matchResources === undefined || match !== undefined);
      return isCandidate ? [{ binding, match }] : [];
    });
  }
}

const none: readonly PolicyCandidate[] = [];
