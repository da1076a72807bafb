import {
  type Controller,
  type ControllerOptions,
  isNotFound,
  type ObservedObject,
  untilAborted,
  WorkQueue,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import { type Condition, isConditionTrue, metaOf, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import { isSameState } from "@gatehouse/envelopes/go";
import { conditionOfType, type JsonObject, listAt, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { customResourceDefinitions } from "../definition/definitions-resource.js";
import { type DefinitionSummary, definitionSummary } from "../resources/definition-summary.js";
import { addNames, decideNames, sameNames } from "./accepted-names.js";

/** The options of controllers of definitions. */
export interface DefinitionControllerOptions extends ControllerOptions {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Number of writes under way together, which share one flush of the store. */
const concurrency = 32;

/**
 * Accepts the names of definitions: no two of a group may have a name in common, and who came first keeps it until the
 * definition goes or gives it up. What is decided holds for the next decision, though it is not written yet.
 */
export function definitionNaming(options: DefinitionControllerOptions): Controller {
  return {
    name: "crd-naming-condition-controller",
    run: (signal) => new Naming(options, signal).run(),
  };
}

class Naming {
  readonly #options: DefinitionControllerOptions;
  readonly #signal: AbortSignal;
  readonly #queue: WorkQueue;
  /** The definitions by name, with the names accepted here that have not been observed yet. */
  readonly #known = new Map<string, { readonly summary: DefinitionSummary; accepted: JsonObject }>();
  readonly #byGroup = new Map<string, Set<string>>();
  #synced = false;

  constructor(options: DefinitionControllerOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#queue = new WorkQueue({ ...options, signal, concurrency, work: (name) => this.#work(name) });
  }

  async run(): Promise<void> {
    const { client, onError } = this.#options;
    const observer = {
      onList: (objects: readonly ObservedObject[]) => {
        for (const object of objects) {
          this.#see(object);
        }
      },
      onEvent: (event: ObservedObject & { readonly type: string }) =>
        event.type === "DELETED" ? this.#forget(event.name) : this.#see(event),
      onError,
    };
    await client.observe(customResourceDefinitions, observer, this.#signal);
    this.#synced = true;
    for (const name of this.#known.keys()) {
      this.#queue.add(name);
    }
    await untilAborted(this.#signal);
    await this.#queue.idle();
  }

  #see({ name, entry }: ObservedObject): void {
    const summary = definitionSummary(entry);
    this.#known.set(name, { summary, accepted: summary.acceptedNames });
    let names = this.#byGroup.get(summary.group);
    if (names === undefined) {
      names = new Set();
      this.#byGroup.set(summary.group, names);
    }
    names.add(name);
    if (this.#synced && !sameNames(summary.names, summary.acceptedNames)) {
      this.#queue.add(name);
    }
  }

  #forget(name: string): void {
    const group = this.#known.get(name)?.summary.group ?? "";
    this.#known.delete(name);
    this.#byGroup.get(group)?.delete(name);
    this.#wakeOthers(group, name);
  }

  /** Queues the definitions that wait for names which may be free now. */
  #wakeOthers(group: string, but: string): void {
    for (const name of this.#byGroup.get(group) ?? []) {
      const known = this.#known.get(name);
      if (name !== but && known !== undefined && !sameNames(known.summary.names, known.accepted)) {
        this.#queue.add(name);
      }
    }
  }

  async #work(name: string): Promise<WorkResult> {
    const { client, now } = this.#options;
    const known = this.#known.get(name);
    if (known === undefined || sameNames(known.summary.names, known.accepted)) {
      return undefined;
    }
    let given: JsonObject | undefined;
    try {
      await client.update(customResourceDefinitions, { namespace: "", name, subresource: "status" }, (definition) => {
        given = this.#accept(definition, timestamp(now()));
        return given === undefined ? undefined : definition;
      });
    } catch (error) {
      this.#hold(name, known.summary.acceptedNames);
      if (!isNotFound(error)) {
        throw error;
      }
      return undefined;
    }
    if (given !== undefined) {
      this.#wakeOthers(known.summary.group, name);
    }
    return undefined;
  }

  #hold(name: string, accepted: JsonObject): void {
    const known = this.#known.get(name);
    if (known !== undefined) {
      known.accepted = accepted;
    }
  }

  /** Changes the definition in place. Returns its names afterwards, or undefined when there is nothing to change. */
  #accept(definition: JsonObject, now: string): JsonObject | undefined {
    const requested = objectAt(definition, "spec", "names");
    const accepted = objectAt(definition, "status", "acceptedNames");
    if (sameNames(requested, accepted)) {
      return undefined;
    }
    const resources = new Set<string>();
    const kinds = new Set<string>();
    for (const name of this.#byGroup.get(textAt(definition, "spec", "group")) ?? []) {
      const known = this.#known.get(name);
      if (known !== undefined) {
        addNames(known.accepted, resources, kinds);
      }
    }
    const { acceptedNames, condition } = decideNames(requested, accepted, { resources, kinds });
    const conditions = listAt(definition, "status", "conditions");
    const before = conditionOfType(conditions, "NamesAccepted");
    if (sameNames(accepted, acceptedNames) && before !== undefined && sameCondition(before, condition)) {
      return undefined;
    }
    this.#hold(metaOf(definition).name ?? "", acceptedNames);
    ownObject(definition, "status")["acceptedNames"] = acceptedNames;
    setCondition(definition, condition, now);
    const established = establishedAfter(definition, condition);
    if (established !== undefined) {
      setCondition(definition, established, now);
    }
    return acceptedNames;
  }
}

/** Returns the condition Established until the definition is established; undefined when it stays as it is. */
function establishedAfter(definition: JsonObject, names: Condition): Condition | undefined {
  if (isConditionTrue(definition, "Established")) {
    return undefined;
  }
  if (names.status === "True") {
    const message = "the initial names have been accepted";
    return { type: "Established", status: "False", reason: "Installing", message };
  }
  return conditionOfType(listAt(definition, "status", "conditions"), "Established") === undefined
    ? { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" }
    : undefined;
}

function sameCondition(known: JsonObject, wanted: Condition): boolean {
  const { lastTransitionTime: _time, ...rest } = known;
  return isSameState(rest, wanted);
}
