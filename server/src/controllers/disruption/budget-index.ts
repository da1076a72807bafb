import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { SelectorError } from "@gatehouse/envelopes/errors";
import { type JsonObject, valueAt } from "@gatehouse/envelopes/json";
import { type LabelSelector, type LabelSelectorObject, labelSelectorOf } from "@gatehouse/envelopes/selectors";

/**
 * The index of budgets by the pods that they select. Most namespaces have none, so that their pods are not looked at.
 */
export class BudgetIndex {
  readonly #selectors = new Map<string, Map<string, LabelSelector>>();

  /** Adds or replaces a budget. One whose selector is invalid selects nothing. */
  set(namespace: string, name: string, entry: CacheEntry): void {
    const selector = budgetSelector(entry.object());
    if (selector === undefined) {
      this.delete(namespace, name);
      return;
    }
    const budgets = this.#selectors.get(namespace);
    if (budgets === undefined) {
      this.#selectors.set(namespace, new Map([[name, selector]]));
    } else {
      budgets.set(name, selector);
    }
  }

  delete(namespace: string, name: string): void {
    const budgets = this.#selectors.get(namespace);
    if (budgets?.delete(name) === true && budgets.size === 0) {
      this.#selectors.delete(namespace);
    }
  }

  /** Returns the names of the budgets that select a pod in any of the states given. */
  of(namespace: string, states: readonly (CacheEntry | undefined)[]): string[] {
    const names: string[] = [];
    for (const [name, selector] of this.#selectors.get(namespace) ?? []) {
      if (states.some((state) => state !== undefined && selector.matches(state.labels()))) {
        names.push(name);
      }
    }
    return names;
  }
}

/** Returns the selector of a budget; undefined when it is invalid. */
function budgetSelector(budget: JsonObject): LabelSelector | undefined {
  try {
    return labelSelectorOf(valueAt(budget, "spec", "selector") as LabelSelectorObject | undefined);
  } catch (error) {
    if (error instanceof SelectorError) {
      return undefined;
    }
    throw error;
  }
}
