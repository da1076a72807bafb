import { conflict, type JsonObject, notFound, type Status } from "@gatehouse/envelopes";
import type { Caller } from "../../request/caller.js";
import type { RequestContext } from "../../request/request-context.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { metaOf, timestamp } from "../object-meta.js";
import type { Change } from "../resource-storage.js";
import type { ServedResource } from "../served-resource.js";
import { type DeleteOptions, readDeleteOptions } from "./delete-options.js";
import { representationFor, respondWithEntry, respondWithObject, respondWithStatus } from "./respond.js";
import { strategyContext, type VerbEnvironment } from "./verb-environment.js";
import { endOfObject } from "./write-attempts.js";

/** Finalizers by which a deletion asks the garbage collector to see to the dependents first. */
export const orphanFinalizer = "orphan";
export const foregroundFinalizer = "foregroundDeletion";

export interface DeleteOutcome {
  /** The object is gone; otherwise it is terminating. */
  readonly removed: boolean;
  /** Last known state. In a dry run, as it was before. */
  readonly entry: CacheEntry;
}

/** DELETE of one object (SPEC "States and transitions"). */
export async function deleteOne(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): Promise<void> {
  const representation = representationFor(context);
  const options = await readDeleteOptions(context, served.version, served.group);
  const { namespace, name } = context.info;
  const outcome = await deleteObject(environment, context, served, namespace, name, options);
  if (outcome.removed && !served.definition.returnsDeletedObject) {
    respondWithStatus(context, deletedStatus(served, name, outcome.entry));
    return;
  }
  // v1.29 says Accepted only to clients that asked for dependents to go first.
  const code = !outcome.removed && options.orphanDependents === false ? 202 : 200;
  if (options.dryRun) {
    respondWithObject(context, served, code, served.objectOf(outcome.entry), representation);
  } else {
    respondWithEntry(context, served, code, outcome.entry, representation);
  }
}

function deletedStatus(served: ServedResource, name: string, entry: CacheEntry): Status {
  const uid = metaOf(entry.object()).uid;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name,
      ...(served.group === "" ? {} : { group: served.group }),
      kind: served.resource,
      ...(uid === undefined ? {} : { uid }),
    },
  };
}

/** Deletes an object, or marks it as terminating while finalizers or a grace period hold it. */
export async function deleteObject(
  environment: VerbEnvironment,
  caller: Caller,
  served: ServedResource,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Promise<DeleteOutcome> {
  const { storage } = served;
  let before: CacheEntry | undefined;
  let admittedUid: string | undefined;
  const decide = async (entry: CacheEntry | undefined): Promise<Change> => {
    caller.signal.throwIfAborted();
    if (entry === undefined) {
      throw notFound(served, name);
    }
    before = entry;
    const old = served.objectOf(entry);
    checkPreconditions(served, name, old, options);
    if (admittedUid !== metaOf(old).uid) {
      admittedUid = metaOf(old).uid;
      await admit(environment, caller, served, old, options.dryRun);
    }
    return decideDeletion(environment, caller, served, old, options);
  };
  const key = storage.keyOf(namespace, name);
  if (options.dryRun) {
    const entry = await storage.read(key);
    const change = await decide(entry);
    return { removed: change.type === "delete", entry: entry as CacheEntry };
  }
  const { entry, outcome } = await storage.change(key, decide);
  if (outcome === "deleted" && entry !== undefined && served.transactions !== undefined) {
    await endOfObject(environment.reportFault, served, entry);
  }
  return { removed: outcome === "deleted", entry: (entry ?? before) as CacheEntry };
}

async function admit(
  environment: VerbEnvironment,
  caller: Caller,
  served: ServedResource,
  old: JsonObject,
  dryRun: boolean,
): Promise<void> {
  const attributes = { operation: "DELETE", caller, served, object: undefined, oldObject: old, dryRun } as const;
  await environment.admission.mutate(attributes);
  await environment.admission.validate(attributes);
}

function checkPreconditions(served: ServedResource, name: string, object: JsonObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const meta = metaOf(object);
  if (uid !== undefined && uid !== meta.uid) {
    throw conflict(
      served,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${meta.uid ?? ""}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== meta.resourceVersion) {
    throw conflict(
      served,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${meta.resourceVersion ?? ""}). The object might have been modified`,
    );
  }
}

function decideDeletion(
  environment: VerbEnvironment,
  caller: Caller,
  served: ServedResource,
  object: JsonObject,
  options: DeleteOptions,
): Change {
  const { definition } = served;
  const meta = metaOf(object);
  const finalizers = finalizersFor(environment, served, object, options);
  const graceSeconds = Math.max(0, definition.gracePeriodSeconds?.(object, options.gracePeriodSeconds) ?? 0);
  const held = finalizers.length > 0 || (definition.ownFinalizers?.(object).length ?? 0) > 0;
  if (!held && graceSeconds === 0) {
    return { type: "delete" };
  }
  const already = meta.deletionTimestamp !== undefined;
  const shortens = already && graceSeconds < Number(meta.deletionGracePeriodSeconds ?? 0);
  const sameFinalizers = JSON.stringify(finalizers) === JSON.stringify(meta.finalizers ?? []);
  if (already && !shortens && sameFinalizers) {
    return { type: "none" };
  }
  setFinalizers(object, finalizers);
  if (!already || shortens) {
    meta.deletionTimestamp = timestamp(environment.now() + graceSeconds * 1000);
    meta.deletionGracePeriodSeconds = graceSeconds;
    if (!already && definition.hasGeneration && Number(meta.generation ?? 0) > 0) {
      meta.generation = Number(meta.generation) + 1;
    }
  }
  definition.prepareForDeletion?.(object, strategyContext(environment, caller, ""));
  return { type: "write", object: served.toStorage(object) };
}

/** The finalizers that the object will have: garbage-collection wishes are expressed as finalizers. */
function finalizersFor(
  environment: VerbEnvironment,
  served: ServedResource,
  object: JsonObject,
  options: DeleteOptions,
): readonly string[] {
  const current = metaOf(object).finalizers ?? [];
  if (!environment.garbageCollection) {
    return current;
  }
  const rest = current.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  const policy = options.propagationPolicy ?? policyOf(options.orphanDependents);
  switch (policy) {
    case "Orphan":
      return [...rest, orphanFinalizer];
    case "Foreground":
      return [...rest, foregroundFinalizer];
    case "Background":
      return rest;
    case undefined:
      return defaultPropagation(served, current);
  }
}

/** Old kinds orphan their dependents unless told otherwise, and unless the object already says how it wants to go. */
function defaultPropagation(served: ServedResource, current: readonly string[]): readonly string[] {
  const decided = current.includes(orphanFinalizer) || current.includes(foregroundFinalizer);
  return served.definition.defaultPropagation === "Orphan" && !decided ? [...current, orphanFinalizer] : current;
}

function policyOf(orphanDependents: boolean | undefined): "Orphan" | "Background" | undefined {
  return orphanDependents === undefined ? undefined : orphanDependents ? "Orphan" : "Background";
}

function setFinalizers(object: JsonObject, finalizers: readonly string[]): void {
  const meta = metaOf(object);
  if (finalizers.length === 0) {
    delete meta.finalizers;
  } else {
    meta.finalizers = [...finalizers];
  }
}
