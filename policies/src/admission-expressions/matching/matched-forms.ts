import type { GroupVersionResource } from "@gatehouse/envelopes/schema";
import type { ServedForm, ServedForms } from "../admission-write.js";
import type { ResourceRule, WriteToMatch } from "./resource-rule.js";

/** Rules about writes, with the question whether they are also about other versions of the resources they name. */
export interface Rules {
  readonly rules: readonly ResourceRule[];
  /** True if rules also match writes through other versions of a resource (`matchPolicy: Equivalent`). */
  readonly matchesEquivalents: boolean;
}

/** A form of the written object that a rule names. */
export interface MatchedForm {
  readonly form: ServedForm;
  /** The names of the objects that the rule is about; undefined for all. */
  readonly names: ReadonlySet<string> | undefined;
}

/** A write as rules match it, with the kind that is written. */
export interface RuledWrite extends WriteToMatch {
  readonly kind: ServedForm["kind"];
}

/**
 * Lists the forms in which rules match a sort of write: rules that name the resource as written go before those that name
 * an equivalent one. The last one is about objects of all names, unless all are about some.
 */
export function matchedForms(
  { rules, matchesEquivalents }: Rules,
  write: RuledWrite,
  forms: ServedForms,
): readonly MatchedForm[] {
  const { operation, resource, subresource, namespace, kind } = write;
  const found: MatchedForm[] = [];
  /** Adds a form if the rule names it, and reports whether nothing can go after it. */
  const add = (rule: ResourceRule, form: ServedForm): boolean => {
    if (!rule.matches({ operation, resource: form.resource, subresource, namespace })) {
      return false;
    }
    found.push({ form, names: rule.names });
    return rule.names === undefined;
  };
  if (rules.some((rule) => add(rule, { resource, kind })) || !matchesEquivalents) {
    return found;
  }
  const others = forms.equivalents(resource, subresource).filter((other) => !isSameResource(other.resource, resource));
  rules.some((rule) => others.some((form) => add(rule, form)));
  return found;
}

/** Returns the form for an object of a name; undefined if no rule is about it. */
export function formFor(matched: readonly MatchedForm[], name: string): ServedForm | undefined {
  return matched.find(({ names }) => names === undefined || names.has(name))?.form;
}

function isSameResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.resource === b.resource && a.version === b.version && a.group === b.group;
}
