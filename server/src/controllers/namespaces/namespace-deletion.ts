import {
  type Controller,
  type ControllerOptions,
  ignoreNotFound,
  isTerminating,
  reconcile,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, listAt, ownObject } from "@gatehouse/envelopes/json";
import type { RemoteObjects } from "../../aggregation/remote-objects.js";
import { namespaces } from "../core-resources.js";
import { setDeletionConditions } from "./namespace-conditions.js";
import { deleteNamespaceContents } from "./namespace-contents.js";

/** The options of the namespace controller. */
export interface NamespaceDeletionOptions extends ControllerOptions {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** The objects of other servers; none when absent. */
  readonly remote?: RemoteObjects;
  /** Milliseconds after the end of a namespace until its remains are looked for. Default 2 s. */
  readonly sweepAfterMs?: number;
}

type Revise = (namespace: JsonObject) => JsonObject | undefined;

/** The finalizer in the spec of a namespace that waits for its contents. */
const ownFinalizer = "kubernetes";

/**
 * Empties namespaces that are being deleted: first all objects inside, then, when finalizers and grace periods have
 * ended, the namespace itself. v1.29 begins only after five seconds, so that objects whose creation was under way are
 * not left behind; this one begins at once and looks again a little after the namespace has gone.
 */
export function namespaceDeletion(options: NamespaceDeletionOptions): Controller {
  const { client, remote, now, sweepAfterMs = 2000 } = options;
  const work = async (name: string): Promise<WorkResult> => {
    const namespace = await client.get(namespaces, "", name);
    if (namespace === undefined) {
      await deleteNamespaceContents(client, { name, uid: undefined, deletedAtMs: now() }, now(), remote);
      return undefined;
    }
    const { uid, deletionTimestamp: deletedAt } = metaOf(namespace);
    if (deletedAt === undefined || !holds(namespace)) {
      return undefined;
    }
    const doomed = { name, uid, deletedAtMs: Date.parse(deletedAt) };
    const remaining = await deleteNamespaceContents(client, doomed, now(), remote);
    if (remaining === undefined) {
      return undefined;
    }
    const unlessReplaced = (revise: Revise): Revise => {
      return (current) => (metaOf(current).uid === uid ? revise(current) : undefined);
    };
    await client
      .update(
        namespaces,
        { namespace: name, name, subresource: "status" },
        unlessReplaced((current) => (setDeletionConditions(current, remaining, now()) ? current : undefined)),
      )
      .catch(ignoreNotFound);
    if (remaining.errors.length > 0 || remaining.byResource.size > 0 || remaining.undiscovered.length > 0) {
      return "retry";
    }
    await client
      .update(namespaces, { namespace: name, name, subresource: "finalize" }, unlessReplaced(letGo))
      .catch(ignoreNotFound);
    return { afterMs: sweepAfterMs };
  };
  return {
    name: "namespace-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 10,
        // Counting what is left costs little, and people wait.
        backoff: { firstMs: 50, maxMs: 8000 },
        work,
        sources: [
          {
            resource: namespaces,
            keyOf: ({ name, entry }, event) => (event !== "DELETED" && isTerminating(entry) ? name : undefined),
          },
        ],
      }),
  };
}

function holds(namespace: JsonObject): boolean {
  return listAt(namespace, "spec", "finalizers").includes(ownFinalizer);
}

function letGo(namespace: JsonObject): JsonObject | undefined {
  if (!holds(namespace)) {
    return undefined;
  }
  const spec = ownObject(namespace, "spec");
  spec["finalizers"] = listAt(namespace, "spec", "finalizers").filter((finalizer) => finalizer !== ownFinalizer);
  return namespace;
}
