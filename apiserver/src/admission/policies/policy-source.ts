import {
  compileBinding,
  Policy,
  type PolicyBinding,
  type PolicyCandidate,
  policyCandidates,
} from "@gatehouse/policies/admission-expressions";
import type { AdmissionAttributes } from "../attributes.js";
import { PerSortOfWrite } from "../matching/per-sort-of-write.js";
import type { ObjectAccess, ObjectView } from "../object-access.js";
import type { ObjectInterfaces } from "../object-interfaces.js";

const group = "admissionregistration.k8s.io";
export const policiesResource = Object.freeze({ group, resource: "validatingadmissionpolicies" });

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
      policyCandidates(policies, bindings, attributes, this.#forms),
    );
  }
}

const none: readonly PolicyCandidate[] = [];
