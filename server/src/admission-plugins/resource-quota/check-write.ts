import { metaOf } from "@gatehouse/apiserver/objects";
import { compareQuantity } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import type { QuotaEvaluator, UsageContext } from "../../quota/quota-evaluator.js";
import { addAmounts, amountsBeyond, amountsText, type ResourceList } from "../../quota/resource-list.js";
import type { QuotaScope } from "../../quota/scopes.js";
import type { QuotaState } from "./quota-state.js";

/** A resource that may be used only where a quota limits it. */
export interface LimitedResource extends GroupResource {
  /** Substrings of the names of amounts. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly QuotaScope[];
}

/** An object that is to be written, and how it counts. */
export interface CountedWrite {
  readonly evaluator: QuotaEvaluator;
  readonly object: JsonObject;
  /** The object that is replaced; undefined for a new one. */
  readonly oldObject: JsonObject | undefined;
}

/**
 * The increase that a write charges to each quota, or its refusal; `isBare` when v1.29 answers with that message alone.
 */
export type WriteVerdict =
  | { readonly charges: ReadonlyMap<QuotaState, ResourceList> }
  | { readonly refusal: string; readonly isBare?: true };

const nothing: WriteVerdict = { charges: new Map() };

/** Checks a write against all quotas of its namespace, in v1.29's order and words. */
export function checkWrite(
  quotas: readonly QuotaState[],
  write: CountedWrite,
  limited: readonly LimitedResource[],
  context: UsageContext,
): WriteVerdict {
  const concerned = quotas.filter((quota) => concerns(quota, write));
  for (const quota of concerned) {
    const problem = problemOf(quota, write);
    if (problem !== undefined) {
      return { refusal: problem };
    }
  }
  const usage = write.evaluator.usage(write.object, context);
  const negative = [...usage].filter(([, amount]) => amount.unscaled < 0n).map(([name]) => name);
  if (negative.length > 0) {
    return { refusal: `quota usage is negative for resource(s): ${negative.sort().join(",")}` };
  }
  const delta = amountsBeyond(usage, usageBefore(write, context));
  if (delta.size === 0) {
    return nothing;
  }
  const uncovered = uncoveredBy(quotas, concerned, write, limited, usage);
  return uncovered ?? charge(concerned, delta);
}

function concerns({ hard, scopes }: QuotaState, { evaluator, object }: CountedWrite): boolean {
  return (
    [...hard.keys()].some((name) => evaluator.matches(name)) &&
    scopes.every((scope) => evaluator.isInScope(object, scope))
  );
}

/** Returns the reason to refuse a write before it is measured; undefined for none. */
function problemOf({ name, hard, used }: QuotaState, { evaluator, object }: CountedWrite): string | undefined {
  const names = [...hard.keys()].filter((resource) => evaluator.matches(resource)).sort();
  const missing = evaluator.missing?.(object, names);
  if (missing !== undefined) {
    return `failed quota: ${name}: ${missing}`;
  }
  return names.every((resource) => used.has(resource))
    ? undefined
    : `status unknown for quota: ${name}, resources: ${names.join(",")}`;
}

/** Returns the usage of the old object; empty for one that was not stored, since a PUT may create it. */
function usageBefore({ evaluator, oldObject }: CountedWrite, context: UsageContext): ResourceList {
  const isStored = oldObject !== undefined && (metaOf(oldObject).resourceVersion ?? "") !== "";
  return isStored ? evaluator.usage(oldObject, context) : new Map();
}

/** Returns a refusal for limited resources in the write that no quota of the namespace limits; undefined for none. */
function uncoveredBy(
  quotas: readonly QuotaState[],
  concerned: readonly QuotaState[],
  { evaluator, object }: CountedWrite,
  limited: readonly LimitedResource[],
  usage: ResourceList,
): WriteVerdict | undefined {
  if (limited.length === 0) {
    return undefined;
  }
  const { group, resource } = evaluator.resource;
  const parts = limited.flatMap((one) => (one.group === group && one.resource === resource ? one.matchContains : []));
  const names = [...usage]
    .filter(([name, amount]) => amount.unscaled > 0n && parts.some((part) => name.includes(part)))
    .map(([name]) => name)
    .filter((name) => !concerned.some(({ hard }) => hard.has(name)));
  if (names.length > 0) {
    return { refusal: `insufficient quota to consume: ${names.sort().join(",")}` };
  }
  const covered = quotas.flatMap(({ scopes }) => scopes.filter((scope) => evaluator.isInScope(object, scope)));
  const scopes = limited
    .flatMap(({ matchScopes }) => matchScopes.filter((scope) => evaluator.isInScope(object, scope)))
    .filter(({ name }) => !covered.some((scope) => scope.name === name));
  return scopes.length === 0
    ? undefined
    : { refusal: `insufficient quota to match these scopes: [${scopes.map(scopeText).join(" ")}]`, isBare: true };
}

/** Formats a scope as Go prints such a value. */
function scopeText({ name, operator, values }: QuotaScope): string {
  return `{${name} ${operator} [${values.join(" ")}]}`;
}

function charge(concerned: readonly QuotaState[], delta: ResourceList): WriteVerdict {
  const charges = new Map<QuotaState, ResourceList>();
  for (const quota of concerned) {
    const requested = masked(delta, [...quota.hard.keys()]);
    const after = new Map(quota.used);
    addAmounts(after, requested);
    const exceeded = [...requested.keys()].filter((name) => isExceeded(after, quota.hard, name));
    if (exceeded.length > 0) {
      const texts = [requested, quota.used, quota.hard].map((list) => amountsText(masked(list, exceeded)));
      return {
        refusal: `exceeded quota: ${quota.name}, requested: ${texts[0]}, used: ${texts[1]}, limited: ${texts[2]}`,
      };
    }
    charges.set(quota, requested);
  }
  return { charges };
}

function isExceeded(after: ResourceList, hard: ResourceList, name: string): boolean {
  const [amount, limit] = [after.get(name), hard.get(name)];
  return amount !== undefined && limit !== undefined && compareQuantity(amount, limit) > 0;
}

function masked(list: ResourceList, names: readonly string[]): ResourceList {
  return new Map([...list].filter(([name]) => names.includes(name)));
}
