import {
  type Controller,
  type ControllerOptions,
  isLostRace,
  untilAborted,
  WorkQueue,
} from "@gatehouse/apiserver/client";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { isJsonObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { CollectedRoles, type CollectingRole } from "./collected-roles.js";

const clusterRoles: GroupResource = Object.freeze({ group: "rbac.authorization.k8s.io", resource: "clusterroles" });

const controllerName = "clusterrole-aggregation-controller";

/** The parts of a cluster role that aggregation uses. */
interface KnownRole extends CollectingRole {
  readonly uid: string;
  readonly resourceVersion: string;
  /** Rules by their JSON, in their order; one that is given twice stands once. Made once for each change of the role. */
  readonly rules: ReadonlyMap<string, JsonValue>;
  /** Number of rules, those that are given twice counted twice. */
  readonly ruleCount: number;
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
  readonly #collectedRoles = new CollectedRoles();
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
            this.#note(name, knownRole(entry.object()));
          }
          for (const [name, { selectors }] of this.#known) {
            if (selectors !== undefined) {
              this.#queue.add(name);
            }
          }
        },
        onEvent: ({ type, name, entry }) => this.#follow(name, type === "DELETED" ? undefined : entry),
        onError: this.#options.onError,
      },
      this.#signal,
    );
    await untilAborted(this.#signal);
    await this.#queue.idle();
  }

  #follow(name: string, entry: CacheEntry | undefined): void {
    const concerned = new Set(this.#collectedRoles.collectorsOf(name));
    this.#note(name, entry === undefined ? undefined : knownRole(entry.object()));
    for (const collector of this.#collectedRoles.collectorsOf(name)) {
      concerned.add(collector);
    }
    for (const collector of concerned.add(name)) {
      if (this.#known.get(collector)?.selectors !== undefined) {
        this.#queue.add(collector);
      }
    }
  }

  #note(name: string, role: KnownRole | undefined): void {
    if (role === undefined) {
      this.#known.delete(name);
    } else {
      this.#known.set(name, role);
    }
    this.#collectedRoles.note(name, role);
  }

  async #collect(name: string): Promise<undefined> {
    const known = this.#known.get(name);
    if (known?.selectors === undefined) {
      return undefined;
    }
    const rules = this.#rulesFor(name);
    if (rules.size === known.ruleCount && haveSameOrder(rules, known.rules)) {
      return undefined;
    }
    // The role may be gone or have rules of its own by now: then an event will tell.
    const metadata = { name, uid: known.uid, resourceVersion: known.resourceVersion };
    const partial = { metadata, ...(rules.size === 0 ? {} : { rules: [...rules.values()] }) };
    try {
      await this.#options.client.apply(clusterRoles, { namespace: "", name }, partial, controllerName);
    } catch (error) {
      if (!isLostRace(error)) {
        throw error;
      }
    }
    return undefined;
  }

  /**
   * Returns the rules that a collector is to have, by their JSON. Each change of a role costs this for every collector, and for
   * others again when a collector has changed: nothing here may depend on the length of the rules.
   */
  #rulesFor(collector: string): ReadonlyMap<string, JsonValue> {
    const collected = new Map<string, JsonValue>();
    for (const name of this.#collectedRoles.collectedBy(collector)) {
      for (const [text, rule] of this.#known.get(name)?.rules ?? []) {
        collected.set(text, rule);
      }
    }
    return collected;
  }
}

function knownRole(role: JsonObject): KnownRole {
  const rules = listAt(role, "rules");
  return {
    uid: textAt(role, "metadata", "uid"),
    resourceVersion: textAt(role, "metadata", "resourceVersion"),
    labels: objectAt(role, "metadata", "labels"),
    rules: new Map(rules.map((rule) => [JSON.stringify(rule), rule])),
    ruleCount: rules.length,
    selectors: isJsonObject(role["aggregationRule"])
      ? listAt(role, "aggregationRule", "clusterRoleSelectors")
      : undefined,
  };
}

/** Reports whether two maps have the same keys in the same order. */
function haveSameOrder(left: ReadonlyMap<string, unknown>, right: ReadonlyMap<string, unknown>): boolean {
  if (left.size !== right.size) {
    return false;
  }
  const keys = right.keys();
  for (const key of left.keys()) {
    if (key !== keys.next().value) {
      return false;
    }
  }
  return true;
}
