import { setTimeout as pause } from "node:timers/promises";
import type { FaultedRequest, RequestFault } from "../server-run/server-run.js";
import { checkRule, type Fault, type FaultRule, type RequestMatch, type RequestRule } from "./fault-rule.js";

/** Faults of a control plane, by rule. The first rule that matches a request counts. */
export interface ClusterFaults {
  /** Adds a rule behind those that are there. Throws TypeError for one without an effect. */
  add(rule: FaultRule): Fault;
  /** Cuts the connections of requests under way that match, and with them what else they carry; returns the number of requests. */
  cut(match: RequestMatch): number;
  /** Removes all rules. */
  clear(): void;
}

/** A rule that has been added, and what it has met. */
class AddedRule implements Fault {
  readonly rule: FaultRule;
  readonly #remove: (rule: AddedRule) => void;
  readonly #removed = new AbortController();
  #matches = 0;
  hits = 0;

  constructor(rule: FaultRule, remove: (rule: AddedRule) => void) {
    this.rule = rule;
    this.#remove = remove;
  }

  get removed(): AbortSignal {
    return this.#removed.signal;
  }

  /** Counts a match; true when it is one that the rule hits. */
  meets(): boolean {
    const { after = 0, times = Number.POSITIVE_INFINITY } = this.rule;
    const isHit = this.#matches >= after && this.hits < times;
    this.#matches++;
    this.hits += isHit ? 1 : 0;
    return isHit;
  }

  [Symbol.dispose](): void {
    this.#remove(this);
    this.#removed.abort();
  }
}

/** The rules of one control plane, and their application to its requests. */
export class FaultRules implements ClusterFaults {
  readonly #rules = new Set<AddedRule>();
  readonly #cut: (matches: (request: FaultedRequest) => boolean) => number;

  /** `cut` cuts the connections of requests under way. */
  constructor(cut: (matches: (request: FaultedRequest) => boolean) => number) {
    this.#cut = cut;
  }

  add(rule: FaultRule): Fault {
    checkRule(rule);
    const added = new AddedRule(rule, (removed) => this.#rules.delete(removed));
    this.#rules.add(added);
    return added;
  }

  cut(match: RequestMatch): number {
    return this.#cut((request) => matches(match, request));
  }

  clear(): void {
    for (const rule of [...this.#rules]) {
      rule[Symbol.dispose]();
    }
  }

  /** Returns the fault of a request; undefined for none. */
  readonly faultsOf = (request: FaultedRequest): RequestFault | undefined => {
    for (const added of this.#rules) {
      const { rule, removed } = added;
      if (!("webhook" in rule) && matches(rule, request) && added.meets()) {
        return faultOf(rule, removed);
      }
    }
    return undefined;
  };

  /** Waits, and returns the reason why a webhook cannot be reached; undefined for one that can. */
  readonly beforeWebhook = async ({ name }: { readonly name: string }): Promise<string | undefined> => {
    for (const added of this.#rules) {
      const { rule } = added;
      if ("webhook" in rule && (rule.webhook === "*" || rule.webhook === name) && added.meets()) {
        await pause(rule.latencyMs ?? 0);
        return rule.unreachable;
      }
    }
    return undefined;
  };
}

function faultOf({ latencyMs, error, cut, watch }: RequestRule, removed: AbortSignal): RequestFault {
  return { latencyMs, error, cut, watch, removed };
}

function matches(match: RequestMatch, request: FaultedRequest): boolean {
  const { verb, name, user } = match;
  const verbs = typeof verb === "string" ? [verb] : verb;
  return (
    (verbs?.includes(request.verb) ?? true) &&
    (["group", "resource", "subresource", "namespace"] as const).every(
      (member) => match[member] === undefined || match[member] === request[member],
    ) &&
    matchesText(name, request.name) &&
    matchesText(user, request.user)
  );
}

function matchesText(pattern: string | RegExp | undefined, text: string): boolean {
  // A regular expression with the flag `g` begins where its last match ended.
  return typeof pattern === "object" ? text.search(pattern) >= 0 : pattern === undefined || pattern === text;
}
