import type { GroupResource } from "@gatehouse/envelopes/status";
import type { AdmissionWrite, ServedForms } from "../admission-write.js";
import { type MatchedResources, matchedResources } from "../matching/match-resources.js";
import type { Policy } from "./policy.js";
import type { PolicyBinding } from "./policy-binding.js";

/** A policy whose rules match a sort of write. Names and selectors are not yet matched. */
export interface PolicyCandidate {
  readonly policy: Policy;
  readonly match: MatchedResources;
  readonly bindings: readonly BindingCandidate[];
}

/** A binding of such a policy, whose own rules match, too. */
export interface BindingCandidate {
  readonly binding: PolicyBinding;
  /** The match of its resources; undefined for a binding that is about all writes of its policy. */
  readonly match: MatchedResources | undefined;
}

/** Lists the policies whose rules match writes of a sort, with their bindings, in their order. */
export function policyCandidates(
  policies: readonly Policy[],
  bindings: readonly PolicyBinding[],
  write: AdmissionWrite,
  forms: ServedForms,
): readonly PolicyCandidate[] {
  return policies.flatMap((policy) => {
    const match = matchedResources(policy.constraints, write, forms);
    return match === undefined ? [] : [{ policy, match, bindings: bindingsOf(policy, bindings, write, forms) }];
  });
}

function bindingsOf(
  { name }: Policy,
  bindings: readonly PolicyBinding[],
  write: AdmissionWrite,
  forms: ServedForms,
): readonly BindingCandidate[] {
  return bindings.flatMap((binding) => {
    const { policyName, matchResources } = binding;
    const match = matchResources && matchedResources(matchResources, write, forms);
    const isCandidate = policyName === name && (matchResources === undefined || match !== undefined);
    return isCandidate ? [{ binding, match }] : [];
  });
}

/** Reports whether policies are about such writes: those of policies and bindings themselves are exempt. */
export function policiesAreAskedAbout({
  resource: { group, resource },
}: {
  readonly resource: GroupResource;
}): boolean {
  return group !== "admissionregistration.k8s.io" || !exempt.has(resource);
}

const exempt: ReadonlySet<string> = new Set(["validatingadmissionpolicies", "validatingadmissionpolicybindings"]);
