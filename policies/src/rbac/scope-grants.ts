import type { RequestedAccess } from "../access/requested-access.js";
import type { BindingRecord } from "./binding-record.js";
import type { PolicyRule, RoleRef } from "./policy-rule.js";
import type { Question } from "./question-table.js";
import { ruleAllowsAnyName } from "./rule-match.js";

/** A grant of an access: a rule of the role of a binding. */
export interface Grant {
  readonly binding: BindingRecord;
  readonly rule: PolicyRule;
}

/** The grants for one question: for objects of any name, and for some names only. */
interface Allowance {
  readonly any: Grant | undefined;
  readonly named: ReadonlyMap<string, Grant> | undefined;
}

const nothing: Allowance = { any: undefined, named: undefined };

/** The limit of kept answers, because clients choose the questions. */
const maxKept = 1024;

/**
 * The grants of one subject in one scope, the cluster or a namespace. Answers are kept until a binding or role changes:
 * the same few questions come again and again, whatever the number of bindings.
 */
export class ScopeGrants {
  readonly #bindings = new Set<BindingRecord>();
  readonly #kept = new Map<Question, Allowance>();
  #missing: readonly RoleRef[] | undefined;

  get isEmpty(): boolean {
    return this.#bindings.size === 0;
  }

  get bindings(): Iterable<BindingRecord> {
    return this.#bindings;
  }

  add(binding: BindingRecord): void {
    this.#bindings.add(binding);
    this.forget();
  }

  delete(binding: BindingRecord): void {
    this.#bindings.delete(binding);
    this.forget();
  }

  /** Forgets the kept answers, because a role or binding has changed. */
  forget(): void {
    this.#kept.clear();
    this.#missing = undefined;
  }

  /** Returns the bound roles that do not exist. */
  missing(): readonly RoleRef[] {
    this.#missing ??= Array.from(this.#bindings, ({ role }) => role).filter(({ rules }) => rules === undefined);
    return this.#missing;
  }

  /** Returns a grant of an access; undefined if there is none. `question` is the access without the name. */
  find(question: Question, access: RequestedAccess): Grant | undefined {
    const { any, named } = this.#allowance(question, access);
    return any ?? named?.get(access.name);
  }

  #allowance(question: Question, access: RequestedAccess): Allowance {
    let allowance = this.#kept.get(question);
    if (allowance === undefined) {
      allowance = this.#look(access);
      if (question.isKnown) {
        if (this.#kept.size >= maxKept) {
          this.#kept.clear();
        }
        this.#kept.set(question, allowance);
      }
    }
    return allowance;
  }

  #look(access: RequestedAccess): Allowance {
    const named = new Map<string, Grant>();
    for (const { binding, rule } of this.#distinctRules()) {
      if (!ruleAllowsAnyName(rule, access)) {
        continue;
      }
      if (!access.isResourceRequest || rule.resourceNames.length === 0) {
        return { any: { binding, rule }, named: undefined };
      }
      for (const name of rule.resourceNames) {
        if (!named.has(name)) {
          named.set(name, { binding, rule });
        }
      }
    }
    return named.size === 0 ? nothing : { any: undefined, named };
  }

  /** Yields the rules of bound roles, each role once: hundreds of bindings may be to one. */
  *#distinctRules(): Generator<Grant> {
    const seen = new Set<unknown>();
    for (const binding of this.#bindings) {
      if (!seen.has(binding.role)) {
        seen.add(binding.role);
        for (const rule of binding.role.rules ?? []) {
          yield { binding, rule };
        }
      }
    }
  }
}
