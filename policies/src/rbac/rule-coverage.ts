import { StepMeter, type Steps } from "@gatehouse/envelopes/scheduling";
import type { PolicyRule } from "./policy-rule.js";
import { urlCovers } from "./rule-match.js";

/** The part of some rules that others do not cover: rules of one verb, one resource and at most one name each. */
export interface Uncovered {
  readonly rules: readonly PolicyRule[];
  /** True if the search was cut short: there is more, but the rest would take too long and add nothing. */
  readonly isCutShort: boolean;
}

/** The limit of uncovered rules: a rule of many verbs, groups, resources and names can stand for 10^12 single ones. */
const maxUncovered = 1000;
/** The limit of comparisons: about a second of work. */
const maxComparisons = 3_000_000;
/** The number of comparisons in one step: some milliseconds of work. */
const comparisonsPerStep = 50_000;

/**
 * Finds what `wanted` allows that `held` do not: to grant it is to escalate (v1.29: every single rule must be covered by
 * one rule as a whole).
 */
export function* uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Steps<Uncovered> {
  const holders = held.map(holderOf);
  const uncovered: PolicyRule[] = [];
  let comparisons = 0;
  const meter = new StepMeter(comparisonsPerStep);
  for (const rule of wanted) {
    // Mostly somebody passes on a whole rule, or holds everything: then nothing has to be taken apart.
    if (holders.some((holder) => covers(holder, rule))) {
      continue;
    }
    for (const single of singleRules(rule)) {
      if (!holders.some((holder) => covers(holder, single))) {
        uncovered.push(single);
      }
      comparisons += holders.length + 1;
      if (uncovered.length === maxUncovered || comparisons > maxComparisons) {
        return { rules: uncovered, isCutShort: true };
      }
      if (meter.count(holders.length + 1)) {
        yield;
      }
    }
  }
  return { rules: uncovered, isCutShort: false };
}

/** A held rule, prepared for many comparisons. */
interface Holder {
  readonly verbs: Has;
  readonly groups: Has;
  readonly resources: Has;
  /** The resource names; undefined for any. */
  readonly names: Has | undefined;
  readonly urls: readonly string[];
}

type Has = (value: string) => boolean;

function holderOf(rule: PolicyRule): Holder {
  const resources = hasOrStar(rule.resources);
  return {
    verbs: hasOrStar(rule.verbs),
    groups: hasOrStar(rule.apiGroups),
    resources(resource) {
      const slash = resource.indexOf("/");
      return resources(resource) || (slash >= 0 && resources(`*${resource.slice(slash)}`));
    },
    names: rule.resourceNames.length === 0 ? undefined : has(rule.resourceNames),
    urls: rule.nonResourceURLs,
  };
}

function has(values: readonly string[]): Has {
  const set = new Set(values);
  return (value) => set.has(value);
}

function hasOrStar(values: readonly string[]): Has {
  return values.includes("*") ? () => true : has(values);
}

function covers({ verbs, groups, resources, names, urls }: Holder, rule: PolicyRule): boolean {
  const speaksOfNames = rule.resourceNames.length > 0 && rule.nonResourceURLs.length === 0;
  return (
    rule.verbs.every(verbs) &&
    rule.apiGroups.every(groups) &&
    rule.resources.every(resources) &&
    (names === undefined || (speaksOfNames && rule.resourceNames.every(names))) &&
    rule.nonResourceURLs.every((url) => urls.some((held) => urlCovers(held, url)))
  );
}

function* singleRules(rule: PolicyRule): Generator<PolicyRule> {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        for (const resourceNames of names) {
          yield { verbs: [verb], apiGroups: [group], resources: [resource], resourceNames, nonResourceURLs: [] };
        }
      }
    }
  }
  for (const url of rule.nonResourceURLs) {
    for (const verb of rule.verbs) {
      yield { verbs: [verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [url] };
    }
  }
}
