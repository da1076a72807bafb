import { isDeepStrictEqual } from "node:util";
import {
  type Controller,
  type ControllerOptions,
  isLostRace,
  untilAborted,
  WorkQueue,
} from "@gatehouse/apiserver/client";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { selectsLabels } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";

const clusterRoles: GroupResource = Object.freeze({ group: "rbac.authorization.k8s.io", resource: "clusterroles" });

const controllerName = "clusterrole-aggregation-controller";

/** The parts of a cluster role that aggregation uses. */
interface KnownRole {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: JsonObject;
  readonly rules: readonly JsonValue[];
  /** Selectors of the roles whose rules it aggregates; undefined when its rules are its own. */
  readonly selectors: readonly JsonValue[] | undefined;
}

/**
 * Gives cluster roles that collect the rules of others those rules, in the order of the names of the others, by server-side
 * apply (v1.29): where nothing is collected, rules that somebody else has written stay.
 */
export function roleAggregation(options: ControllerOptions): Controller {
  return {
    name: controllerName,
    async run(signal) {
      if (options.client.find(clusterRoles) !== undefined) {
        await new RoleAggregation(options, signal).run();
      }
    },
  };
}

class RoleAggregation {
  readonly #options: ControllerOptions;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, KnownRole>();
  readonly #queue: WorkQueue;

  constructor(options: ControllerOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#queue = new WorkQueue({ ...options, signal, concurrency: 5, work: (name) => this.#collect(name) });
  }

  async run(): Promise<void> {
    await this.#options.client.observe(
      clusterRoles,
      {
        onList: (objects) => {
          // Nothing is collected before all are known: a collector would lose the rules of those that come later.
          for (const { name, entry } of objects) {
            this.#known.set(name, knownRole(entry.object()));
          }
          for (const [name, { selectors }] of this.#known) {
            if (selectors !== undefined) {
              this.#queue.add(name);
            }
          }
        },
        onEvent: ({ type, name, entry }) => this.#note(name, type === "DELETED" ? undefined : entry),
        onError: this.#options.onError,
      },
      this.#signal,
    );
    await untilAborted(this.#signal);
    await this.#queue.idle();
  }

  #note(name: string, entry: CacheEntry | undefined): void {
    const before = this.#known.get(name);
    const now = entry === undefined ? undefined : knownRole(entry.object());
    if (now === undefined) {
      this.#known.delete(name);
    } else {
      this.#known.set(name, now);
    }
    for (const [collector, { selectors }] of this.#known) {
      const concerns =
        collector === name || [before, now].some((role) => role !== undefined && isSelected(selectors ?? [], role));
      if (selectors !== undefined && concerns) {
        this.#queue.add(collector);
      }
    }
  }

  async #collect(name: string): Promise<undefined> {
    const rules = this.#rulesFor(name);
    const known = this.#known.get(name);
    if (rules === undefined || known === undefined || isDeepStrictEqual(rules, known.rules)) {
      return undefined;
    }
    // The role may be gone or have rules of its own by now: then an event will tell.
    const metadata = { name, uid: known.uid, resourceVersion: known.resourceVersion };
    const partial = { metadata, ...(rules.length === 0 ? {} : { rules: [...rules] }) };
    try {
      await this.#options.client.apply(clusterRoles, { namespace: "", name }, partial, controllerName);
    } catch (error) {
      if (!isLostRace(error)) {
        throw error;
      }
    }
    return undefined;
  }

  #rulesFor(name: string): readonly JsonValue[] | undefined {
    const selectors = this.#known.get(name)?.selectors;
    if (selectors === undefined) {
      return undefined;
    }
    const rules = new Map<string, JsonValue>();
    const others = [...this.#known].filter(([other]) => other !== name).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const selector of selectors) {
      for (const [, role] of others) {
        if (selectsLabels(selector, role.labels) === true) {
          for (const rule of role.rules) {
            const text = JSON.stringify(rule);
            if (!rules.has(text)) {
              rules.set(text, rule);
            }
          }
        }
      }
    }
    return [...rules.values()];
  }
}

function knownRole(role: JsonObject): KnownRole {
  return {
    uid: textAt(role, "metadata", "uid"),
    resourceVersion: textAt(role, "metadata", "resourceVersion"),
    labels: objectAt(role, "metadata", "labels"),
    rules: listAt(role, "rules"),
    selectors: isJsonObject(role["aggregationRule"])
      ? listAt(role, "aggregationRule", "clusterRoleSelectors")
      : undefined,
  };
}

function isSelected(selectors: readonly JsonValue[], { labels }: KnownRole): boolean {
  return selectors.some((selector) => selectsLabels(selector, labels) === true);
}
