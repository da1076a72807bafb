import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";

/** The limit of the estimated cost of one rule, times the number of values that it may be evaluated for. */
export const maxRuleCost = 10_000_000n;

/** The limit of the estimated cost of all rules of a schema. */
const maxTotalCost = 100_000_000n;

const maxUint64 = 2n ** 64n - 1n;

/** The number of rules that an error about the total cost names. */
const maxNamed = 4;

/** The estimated cost of all rules of a schema. */
export class TotalRuleCost {
  #total = 0n;
  /** The rules that cost most, in descending order of cost. */
  #most: readonly { readonly path: FieldPath; readonly cost: bigint }[] = [];

  add(path: FieldPath, cost: bigint): void {
    const total = this.#total + cost;
    this.#total = total > maxUint64 ? maxUint64 : total;
    // Rules that contribute less than one percent are not worth a word.
    if (cost >= maxTotalCost / 100n) {
      this.#most = [...this.#most, { path, cost }]
        .sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0))
        .slice(0, maxNamed);
    }
  }

  /** Adds errors if the rules of the schema at a path cost too much together. */
  validate(schemaPath: FieldPath, errors: FieldErrors): void {
    if (this.#total <= maxTotalCost) {
      return;
    }
    for (const { path } of this.#most) {
      errors.forbidden(
        path,
        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
      );
    }
    const name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    errors.forbidden(schemaPath, costProblem(name, this.#total, maxTotalCost));
  }
}

/** Returns the text of an error about a cost beyond its limit. */
export function costProblem(name: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const shown = factor > 100 ? "more than 100x" : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const advice =
    "try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared";
  return `${name} exceeds budget by factor of ${shown} (${advice})`;
}
