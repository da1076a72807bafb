import { type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { andThen, type MaybePromise } from "@gatehouse/envelopes/scheduling";
import type { AdmissionWrite, ServedForm, ServedForms } from "../admission-write.js";
import { formFor, type MatchedForm, matchedForms, type Rules } from "./matched-forms.js";
import { compileResourceRule } from "./resource-rule.js";
import { selectorAt } from "./selector.js";
import { type Selectors, selectsEverything, type WriteSelectors } from "./write-selectors.js";

/** The MatchResources of a policy or a binding, ready to be matched. */
export interface MatchResources extends Selectors, Rules {
  /** Rules about writes that are left out. */
  readonly excluded: Rules;
}

/** The forms in which MatchResources name a sort of write, and those that they leave out. */
export interface MatchedResources {
  readonly selectors: Selectors;
  readonly included: readonly MatchedForm[];
  readonly excluded: readonly MatchedForm[];
  /** The form for every write of the sort, where neither names nor selectors matter: nearly always. */
  readonly always: ServedForm | undefined;
}

/** Compiles the MatchResources of admissionregistration.k8s.io. */
export function compileMatchResources(resources: JsonValue): MatchResources {
  // Stored ones always say it; documents may leave it out.
  const matchesEquivalents = textAt(resources, "matchPolicy") !== "Exact";
  return {
    rules: listAt(resources, "resourceRules").map(compileResourceRule),
    matchesEquivalents,
    excluded: { rules: listAt(resources, "excludeResourceRules").map(compileResourceRule), matchesEquivalents },
    namespaceSelector: selectorAt(resources, "namespaceSelector"),
    objectSelector: selectorAt(resources, "objectSelector"),
  };
}

/**
 * Returns how MatchResources name writes of a sort; undefined if they name none. The first match of a sort goes for all
 * writes of it, but for names and selectors. MatchResources without rules name every write.
 */
export function matchedResources(
  resources: MatchResources,
  write: AdmissionWrite,
  forms: ServedForms,
): MatchedResources | undefined {
  const excluded = matchedForms(resources.excluded, write, forms);
  if (excluded.some(({ names }) => names === undefined)) {
    return undefined;
  }
  const own: MatchedForm = { form: { resource: write.resource, kind: write.kind }, names: undefined };
  const included = resources.rules.length === 0 ? [own] : matchedForms(resources, write, forms);
  const [first] = included;
  if (first === undefined) {
    return undefined;
  }
  const isAlways = first.names === undefined && excluded.length === 0 && selectsEverything(resources);
  return { selectors: resources, included, excluded, always: isAlways ? first.form : undefined };
}

/**
 * Returns the form in which MatchResources name a write; undefined if they do not. Throws StatusError when that cannot be
 * told, because its namespace does not exist.
 */
export function matchWrite(
  { selectors, included, excluded, always }: MatchedResources,
  write: AdmissionWrite,
  writeSelectors: WriteSelectors,
): MaybePromise<ServedForm | undefined> {
  if (always !== undefined) {
    return always;
  }
  const form = formFor(excluded, write.name) === undefined ? formFor(included, write.name) : undefined;
  if (form === undefined) {
    return undefined;
  }
  return andThen(writeSelectors.match(selectors, write), (isSelected) => (isSelected ? form : undefined));
}
