import {
  type Controller,
  type ControllerOptions,
  forEachLimited,
  isLostRace,
  type ObjectClient,
  reconcile,
} from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { type BootstrapObject, bootstrapFlowSchemas, bootstrapPriorityLevels } from "./bootstrap-objects.js";
import { flowSchemas, priorityLevels } from "./flow-control-resources.js";
import { isFormerBootstrapObject, revisedBootstrapObject } from "./revise-bootstrap-object.js";

/** The options of the controller. */
export interface BootstrapConfigurationOptions extends ControllerOptions {
  /** Called when all objects exist for the first time. */
  readonly onDone: () => void;
}

/** The manager of the fields that the controller writes, as in v1.29. */
export const configProducer = "api-priority-and-fairness-config-producer-v1";

/** The interval in milliseconds at which the objects are looked at. */
const intervalMs = 60_000;
/** Number of objects that are written at a time: they share the flushes of the store. */
const concurrency = 32;

/**
 * Makes the flow schemas and priority levels of every cluster, mends those that it may, and removes those of former
 * releases. Levels come before the schemas that name them, so that no schema is ever without its level.
 */
export function bootstrapConfiguration(options: BootstrapConfigurationOptions): Controller {
  const { client, onDone } = options;
  return {
    name: "priority-and-fairness-config-producer",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 1,
        initial: ["configuration"],
        sources: [],
        async work() {
          const served = [
            { resource: priorityLevels, objects: bootstrapPriorityLevels },
            { resource: flowSchemas, objects: bootstrapFlowSchemas },
          ].filter(({ resource }) => client.find(resource) !== undefined);
          for (const { resource, objects } of served) {
            await forAll(objects, (wanted) => ensure(client, resource, wanted));
          }
          for (const { resource, objects } of served.reverse()) {
            await removeOthers(client, resource, objects);
          }
          onDone();
          return { afterMs: intervalMs };
        },
      }),
  };
}

/** Runs a task for every item, even when some fail; then throws the first error. */
async function forAll<T>(items: Iterable<T>, task: (item: T) => Promise<void>): Promise<void> {
  const [error] = await forEachLimited(items, concurrency, task);
  if (error !== undefined) {
    throw error;
  }
}

async function ensure(client: ObjectClient, resource: GroupResource, wanted: BootstrapObject): Promise<void> {
  const { name = "" } = metaOf(wanted.object);
  try {
    const current = await client.get(resource, "", name);
    if (current === undefined) {
      await client.create(resource, structuredClone(wanted.object));
    } else if (revisedBootstrapObject(current, wanted) !== undefined) {
      await client.update(resource, { namespace: "", name }, (object) => revisedBootstrapObject(object, wanted));
    }
  } catch (error) {
    // Somebody else has written it meanwhile; the next look will tell whether it is as it should be.
    if (!isLostRace(error)) {
      throw error;
    }
  }
}

async function removeOthers(
  client: ObjectClient,
  resource: GroupResource,
  wanted: readonly BootstrapObject[],
): Promise<void> {
  const names = new Set(wanted.map(({ object }) => metaOf(object).name));
  for (const { name, entry } of await client.list(resource, "")) {
    if (!names.has(name) && isFormerBootstrapObject(entry.object())) {
      await client.delete(resource, "", name);
    }
  }
}
