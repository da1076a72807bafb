import {
  type Controller,
  forEachLimited,
  ignoreNotFound,
  isLostRace,
  isTerminating,
  type ObjectClient,
  reconcile,
  uidOf,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import { type Condition, isConditionTrue, metaOf, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { customResourceDefinitions } from "../definition/definitions-resource.js";
import { cleanupFinalizer, definitionSummary } from "../resources/definition-summary.js";
import type { DefinitionControllerOptions } from "./naming.js";

const deletionsAtATime = 64;

/** Milliseconds after which the condition reports that instances remain, as in v1.29. */
const patienceMs = 60_000;

/** Definitions whose objects are stored where something built in is. */
const overlapping = new Set(["apiservices.apiregistration.k8s.io", "customresourcedefinitions.apiextensions.k8s.io"]);

/**
 * Lets definitions go that are being deleted: first their objects are deleted, then, when the last one is gone, the
 * finalizer is taken off. Whatever has been done before a restart is not done again.
 */
export function definitionFinalizing(options: DefinitionControllerOptions): Controller {
  return {
    name: "crd-finalizer-controller",
    run: (signal) => {
      const finalizing = new Finalizing(options);
      return reconcile({
        ...options,
        signal,
        concurrency: 5,
        backoff: { firstMs: 20, maxMs: 2000 },
        work: (name) => finalizing.work(name),
        sources: [
          {
            resource: customResourceDefinitions,
            keyOf: ({ name, entry }, event) =>
              event !== "DELETED" && definitionSummary(entry).awaitsCleanup ? name : undefined,
          },
        ],
      });
    },
  };
}

class Finalizing {
  readonly #client: ObjectClient;
  readonly #now: () => number;
  /** The times at which the cleanup of definitions began, by uid. */
  readonly #begun = new Map<string, number>();

  constructor({ client, now }: DefinitionControllerOptions) {
    this.#client = client;
    this.#now = now;
  }

  async work(name: string): Promise<WorkResult> {
    const definition = await this.#client.get(customResourceDefinitions, "", name);
    if (definition === undefined || !awaitsCleanup(definition)) {
      return undefined;
    }
    const uid = metaOf(definition).uid ?? "";
    const begun = await this.#begin(name, uid);
    const condition = overlapping.has(name)
      ? terminating("False", "OverlappingBuiltInResource", "instances overlap with built-in resources in storage")
      : isConditionTrue(definition, "Established")
        ? await this.#deleteInstances(definition, uid, begun)
        : terminating("False", "NeverEstablished", "resource was never established");
    if (condition === "waiting") {
      return "retry";
    }
    await this.#conclude(name, uid, condition);
    if (condition.status === "True") {
      return "retry";
    }
    this.#begun.delete(uid);
    return undefined;
  }

  /** Says that the cleanup has begun, also where it will find nothing to do. Resolves with the time of that. */
  async #begin(name: string, uid: string): Promise<number> {
    const known = this.#begun.get(uid);
    if (known !== undefined) {
      return known;
    }
    const begun = this.#now();
    this.#begun.set(uid, begun);
    const message = "CustomResource deletion is in progress";
    await this.#conclude(name, uid, terminating("True", "InstanceDeletionInProgress", message));
    return begun;
  }

  async #deleteInstances(definition: JsonObject, uid: string, begun: number): Promise<Condition | "waiting"> {
    const resource = {
      group: textAt(definition, "spec", "group"),
      resource: textAt(definition, "status", "acceptedNames", "plural"),
    };
    if (this.#client.find(resource) === undefined) {
      return "waiting"; // It is established, but not served yet.
    }
    const [failure] = await this.#deleteAll(resource);
    if (failure !== undefined) {
      const message = failure instanceof Error ? failure.message : "an error that is not an Error";
      return terminating("True", "InstanceDeletionFailed", `could not issue all deletes: ${message}`);
    }
    if ((await this.#client.count(resource, "")) === 0) {
      return terminating("False", "InstanceDeletionCompleted", "removed all instances");
    }
    if (this.#now() - begun < patienceMs) {
      return "waiting";
    }
    this.#begun.delete(uid);
    const message = "could not confirm zero CustomResources remaining: timed out waiting for the condition";
    return terminating("True", "InstanceDeletionCheck", message);
  }

  async #deleteAll(resource: GroupResource): Promise<readonly unknown[]> {
    const objects = await this.#client.list(resource, "");
    const alive = objects.filter(({ entry }) => !isTerminating(entry));
    return forEachLimited(alive, deletionsAtATime, async ({ namespace, name, entry }) => {
      try {
        await this.#client.delete(resource, namespace, name, { preconditions: { uid: uidOf(entry) } });
      } catch (error) {
        if (!isLostRace(error)) {
          throw error;
        }
      }
    });
  }

  /** Updates the condition; when nothing is left to do, the finalizer is removed with the same write. */
  async #conclude(name: string, uid: string, condition: Condition): Promise<void> {
    await this.#client
      .update(customResourceDefinitions, { namespace: "", name, subresource: "status" }, (current) => {
        const meta = metaOf(current);
        if (meta.uid !== uid || !awaitsCleanup(current)) {
          return undefined;
        }
        setCondition(current, condition, timestamp(this.#now()));
        if (condition.status === "False") {
          meta.finalizers = (meta.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
        }
        return current;
      })
      .catch(ignoreNotFound);
  }
}

function awaitsCleanup(definition: JsonObject): boolean {
  const { deletionTimestamp, finalizers } = metaOf(definition);
  return deletionTimestamp !== undefined && finalizers?.includes(cleanupFinalizer) === true;
}

function terminating(status: "True" | "False", reason: string, message: string): Condition {
  return { type: "Terminating", status, reason, message };
}
