import type { CacheEntry } from "@gatehouse/apiserver/storage";
import {
  type JsonObject,
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorOf,
  SelectorError,
  valueAt,
} from "@gatehouse/envelopes";

/** Which budgets there are, and which pods they are about. Most namespaces have none, and then nobody looks at their pods. */
export class BudgetIndex {
  readonly #selectors = new Map<string, Map<string, LabelSelector>>();

  /** Takes a budget as it is now. One whose selector is invalid selects nothing. */
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

  /** The names of the budgets that select a pod, in any of the states given. */
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

/** Which pods a budget is about; undefined when its selector is invalid. */
export function budgetSelector(budget: JsonObject): LabelSelector | undefined {
  try {
    return labelSelectorOf(valueAt(budget, "spec", "selector") as LabelSelectorObject | undefined);
  } catch (error) {
    if (error instanceof SelectorError) {
      return undefined;
    }
    throw error;
  }
}
