import type { JsonObject } from "@gatehouse/envelopes/json";
import { conflict, notFound, type Status } from "@gatehouse/envelopes/status";
import { AdmissionAttributes } from "../../admission/attributes.js";
import { sendStatusIn } from "../../http/responder.js";
import { metaOf, type ObjectMeta } from "../../objects/object-meta.js";
import type { Change, ChangeResult } from "../../registry/resource-storage.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { deleteOptionsObject } from "../admission-options.js";
import { awaitStore, besideStore } from "../await-store.js";
import { type DeleteOptions, readDeleteOptions } from "../delete-options.js";
import { keyOfNamed } from "../key-of-named.js";
import { kindOfMessages } from "../kind-of-messages.js";
import type { OperationScope, RequestScope } from "../request-scope.js";
import { objectRepresentation, respondWithEntry, respondWithObject, triedUnlessShown } from "../respond.js";
import { warnAboutDeletion } from "../writing/warn-about.js";
import { endOfObject } from "../writing/write-attempts.js";
import { admittedOptions, type DeletionConditions, type DeletionPlan, planDeletion } from "./plan-deletion.js";

/** An object to be deleted. */
export interface DeleteRequest {
  readonly namespace: string;
  readonly name: string;
  readonly options: DeleteOptions;
  /** `notAsked` where admission has been asked about an equivalent request already, such as an eviction. */
  readonly admission?: "asked" | "notAsked";
}

/** The outcome of a deletion. */
export interface DeleteOutcome {
  /** True if the object is gone; otherwise it is terminating. */
  readonly removed: boolean;
  /** The last known state. */
  readonly entry: CacheEntry;
  /** The state that a dry run would have left, or the one before the removal; undefined outside of dry runs. */
  readonly dryRunObject: JsonObject | undefined;
}

/** Handles DELETE of one object. */
export async function deleteOne(scope: RequestScope): Promise<void> {
  const { context, served } = scope;
  const representation = objectRepresentation(context, served.form);
  const options = await readDeleteOptions(context, served.version, served.group);
  warnAboutDeletion(context, served.definition.strategy.deletion, options);
  const { namespace, name } = context.info;
  const tried = triedUnlessShown(context, representation, "PartialObjectMetadataList", options);
  let outcome = await deleteObject(scope, { namespace, name, options: tried });
  await context.yieldIfLarge();
  if (outcome.removed && !served.definition.strategy.deletion.returnsDeletedObject) {
    if (tried !== options) {
      // It was only about the object: a Status is shown to everybody.
      outcome = await deleteObject(scope, { namespace, name, options });
    }
    sendStatusIn(context, 200, deletedStatus(served, name, outcome.entry), representation.encoding);
    return;
  }
  // v1.29 says Accepted only to clients that asked for dependents to go first.
  const code = !outcome.removed && options.orphanDependents === false ? 202 : 200;
  if (outcome.dryRunObject !== undefined) {
    await respondWithObject(context, served, code, outcome.dryRunObject, representation);
  } else {
    await respondWithEntry(context, served, code, outcome.entry, representation);
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
export async function deleteObject(scope: OperationScope, request: DeleteRequest): Promise<DeleteOutcome> {
  const { environment, caller, served } = scope;
  const { namespace, name, options, admission = "asked" } = request;
  const { storage } = served;
  const key = keyOfNamed(served, namespace, name);
  let admittedUid: string | undefined;
  let admitted: DeleteOptions | "pending" = "pending";
  let plan = "pending" as DeletionPlan;
  let object: JsonObject = {};
  const decide = async (entry: CacheEntry | undefined): Promise<Change> => {
    caller.signal.throwIfAborted();
    if (entry === undefined) {
      throw notFound(served, name);
    }
    await served.form.prepare([entry], caller);
    await caller.yieldIfLarge(entry.length);
    object = served.form.decode(entry);
    await caller.yieldIfLarge();
    checkPreconditions(served, name, object, options);
    const conditions = conditionsOf(scope);
    admitted = admission === "asked" ? admittedOptions(conditions, object, options) : "pending";
    if (admitted !== "pending" && admittedUid !== metaOf(object).uid) {
      admittedUid = metaOf(object).uid;
      await admit(scope, object, admitted);
    }
    plan = planDeletion(conditions, object, options);
    if (plan === "remove" || plan === "pending") {
      return { type: plan === "remove" ? "delete" : "none" };
    }
    await caller.yieldIfLarge();
    served.form.canonicalize(object);
    await caller.yieldIfLarge();
    return { type: "write", object: await served.form.toStored(object, caller) };
  };
  if (options.dryRun) {
    const entry = await storage.read(key);
    await decide(entry);
    return { removed: removes(plan), entry: entry as CacheEntry, dryRunObject: object };
  }
  const marked = await awaitStore(caller, () => storage.change(key, besideStore(caller, decide)));
  await caller.yieldIfLarge();
  const remove = (): Promise<ChangeResult> =>
    storage.change(key, besideStore(caller, removalOf(scope, marked, admitted)));
  const { entry, outcome } = plan === "markAndRemove" ? await awaitStore(caller, remove) : marked;
  const last = (entry ?? marked.entry) as CacheEntry;
  if (outcome === "deleted" && served.transactions !== undefined) {
    await endOfObject(environment.reportFault, served, last);
  }
  return { removed: removes(plan), entry: last, dryRunObject: undefined };
}

function removes(plan: DeletionPlan): boolean {
  return plan === "remove" || plan === "markAndRemove";
}

function conditionsOf({ environment, served }: OperationScope): DeletionConditions {
  const { garbageCollection, podTermination } = environment;
  const strategy = served.definition.strategy.deletion;
  return { strategy, garbageCollection, podTermination, nowMs: environment.now() };
}

/**
 * Returns the decision that removes the marked object, whatever its state since, but not another one made in its place. As in
 * v1.29, admission is asked about this write as well, once, with the options of the first one.
 */
function removalOf(
  scope: OperationScope,
  marked: ChangeResult,
  admitted: DeleteOptions | "pending",
): (entry: CacheEntry | undefined) => Promise<Change> {
  const uid = marked.entry === undefined ? undefined : metaOf(marked.entry.object()).uid;
  let unasked = admitted;
  return async (entry) => {
    if (entry === undefined || metaOf(entry.object()).uid !== uid) {
      return { type: "none" };
    }
    if (unasked !== "pending") {
      const asked = unasked;
      unasked = "pending";
      await admit(scope, scope.served.form.decode(entry), asked);
    }
    return { type: "delete" };
  };
}

async function admit(
  { environment, caller, served }: OperationScope,
  old: JsonObject,
  options: DeleteOptions,
): Promise<void> {
  const attributes = new AdmissionAttributes({
    operation: "DELETE",
    caller,
    kind: served,
    resource: served,
    oldObject: old,
    options: deleteOptionsObject(options),
    dryRun: options.dryRun,
  });
  await environment.admission.mutate(attributes);
  await environment.admission.validate(attributes);
}

/** Throws 409 when the object is not the one, or not in the version, that the client means. */
export function checkPreconditions(
  served: ServedResource,
  name: string,
  object: JsonObject,
  options: DeleteOptions,
): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const meta = metaOf(object);
  if (served.definition.strategy.deletion.comparesPreconditions === true && options.fromCollection !== true) {
    checkPreconditionsFirst(served, name, meta, options);
    return;
  }
  // v1.29 names the kind here, where other conflicts name the resource.
  const { group, kind } = kindOfMessages(served);
  const what = { group, resource: kind };
  if (uid !== undefined && uid !== meta.uid) {
    throw conflict(
      what,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${meta.uid ?? ""}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== meta.resourceVersion) {
    throw conflict(
      what,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${meta.resourceVersion ?? ""}). The object might have been modified`,
    );
  }
}

/** Checks preconditions in the shorter words that v1.29 has for kinds whose storage compares them. */
function checkPreconditionsFirst(
  served: ServedResource,
  name: string,
  meta: ObjectMeta,
  { preconditions: { uid, resourceVersion } = {} }: DeleteOptions,
): void {
  const failed = (what: string, wanted: string, found = ""): never => {
    throw conflict(
      served,
      name,
      `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
    );
  };
  if (uid !== undefined && uid !== meta.uid) {
    failed("UID", uid, meta.uid);
  }
  if (resourceVersion !== undefined && resourceVersion !== meta.resourceVersion) {
    failed("ResourceVersion", resourceVersion, meta.resourceVersion);
  }
}
