import { copyJson, writeEmptyAsNull } from "@gatehouse/envelopes/codec";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { GroupVersionKind } from "@gatehouse/envelopes/schema";
import { badRequest, conflict, invalid, notFound, StatusError } from "@gatehouse/envelopes/status";
import { resourceVersionRequired } from "@gatehouse/envelopes/validation";
import { AdmissionAttributes } from "../../admission/attributes.js";
import type { Representation } from "../../http/negotiation.js";
import { keepTimesIfUnchanged } from "../../managed-fields/keep-times.js";
import { withoutManagers } from "../../managed-fields/managers.js";
import { isSameValue } from "../../managed-fields/typed-value.js";
import { copyMembers, metaOf } from "../../objects/object-meta.js";
import type { Change } from "../../registry/resource-storage.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { MaybePromise } from "../../request/handler.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { writeOptionsObject } from "../admission-options.js";
import { awaitStore, besideStore } from "../await-store.js";
import { keyOfNamed } from "../key-of-named.js";
import { parseUnsigned } from "../parse-integer.js";
import { type OperationScope, type RequestScope, strategyContext, ttlSecondsOf } from "../request-scope.js";
import { offerOf, respondWithEntry, respondWithObject } from "../respond.js";
import { parseUpdateOptions, type WriteOptions } from "../write-options.js";
import { beginWrite, readSentObject } from "./begin-write.js";
import { checkIdentity, checkNamespace } from "./check-identity.js";
import { createObject, type Ownership } from "./create.js";
import { dedupOwnerReferences } from "./dedup-owner-references.js";
import { newTimeOf, trackFields } from "./field-managers.js";
import { fillDefaults } from "./fill-defaults.js";
import { keepWhatTheServerOwns } from "./keep-server-owned.js";
import { mutateInAdmission } from "./mutate-in-admission.js";
import { validateAndCanonicalize } from "./validate-and-canonicalize.js";
import { warnAbout } from "./warn-about.js";
import { endOfObject, inTransactions, type WriteAttempts } from "./write-attempts.js";

/** Makes the object to store from the current one; asked again after every lost race. */
export type Revise = (old: JsonObject | undefined, entry: CacheEntry | undefined) => Promise<JsonObject> | JsonObject;

/** The object that `updateObject` changes, and the change. */
export interface UpdateRequest {
  /** The part of the object that this write is about; empty for the object itself. */
  readonly subresource: string;
  readonly revise: Revise;
  readonly options: WriteOptions;
  /** The object that admission sees in the place of this one; `revise` has run the mutating phase then. */
  readonly shown?: ShownWrite;
  /** `stated` where the result of `revise` already carries its field ownership. */
  readonly ownership?: Ownership | undefined;
  /** True if the object is created when it is missing (PUT to kinds for which v1.29 allows that). */
  readonly createWhenMissing: boolean;
  /** Called when the object is missing and is not created: may throw what else is wrong, in the place of 404. */
  readonly whenMissing?: () => void;
}

/** A write of a subresource with a kind of its own, as admission sees it. */
export interface ShownWrite {
  readonly kind: GroupVersionKind;
  /** Returns the object that admission sees, for the old or the new one. */
  readonly of: (object: JsonObject) => JsonObject;
}

/** The outcome of an update: `code` is 201 when the write has made the object. */
export interface UpdateOutcome {
  readonly code: 200 | 201;
  /** The state now. Absent when `object` is not stored: in a dry run, or when the write has ended the object's life. */
  readonly entry: CacheEntry | undefined;
  readonly object: JsonObject;
}

/** Handles PUT of an object or of one of its object-typed subresources. */
export async function update(scope: RequestScope): Promise<void> {
  const { context, served } = scope;
  const { representation, options } = beginWrite(context, offerOf(served, context), parseUpdateOptions);
  const sent = await readSentObject(scope, served, options, checkIdentity);
  await context.yieldIfLarge();
  await fillDefaults(scope, sent);
  const outcome = await updateObject(scope, {
    subresource: context.info.subresource,
    revise: (old) => {
      checkUid(served, sent, old, options);
      return copyJson(sent) as JsonObject;
    },
    options,
    // v1.29 asks for the uid before it asks whether there is anything to have one.
    whenMissing: () => checkUid(served, sent, undefined, options),
    createWhenMissing: context.info.subresource === "" && served.definition.strategy.update.allowCreateOnUpdate,
  });
  await respondWithOutcome(scope, outcome, representation);
}

/** Answers with the bytes of the stored state where there is one: nothing is encoded again. */
export function respondWithOutcome(
  { context, served }: RequestScope,
  outcome: UpdateOutcome,
  representation: Representation,
): MaybePromise<void> {
  if (outcome.entry === undefined) {
    return respondWithObject(context, served, outcome.code, outcome.object, representation);
  }
  return respondWithEntry(context, served, outcome.code, outcome.entry, representation);
}

/** Runs the compare-and-set loop behind PUT, PATCH and the subresources that write. */
export function updateObject(scope: OperationScope, request: UpdateRequest): Promise<UpdateOutcome> {
  const run = (attempts?: WriteAttempts): Promise<UpdateOutcome> => reviseAndStore(scope, request, attempts);
  return scope.served.transactions === undefined ? run() : inTransactions(scope.environment.reportFault, run);
}

async function reviseAndStore(
  scope: OperationScope,
  request: UpdateRequest,
  attempts: WriteAttempts | undefined,
): Promise<UpdateOutcome> {
  const { environment, caller, served } = scope;
  const { storage } = served;
  const { namespace, name } = caller.info;
  const key = keyOfNamed(served, namespace, name);
  let latest: JsonObject = {};
  let sentLink = "";
  const decide = async (entry: CacheEntry | undefined): Promise<Change> => {
    attempts?.notStored();
    caller.signal.throwIfAborted();
    if (entry === undefined) {
      request.whenMissing?.();
      throw notFound(served, name);
    }
    await served.form.prepare([entry], caller);
    await caller.yieldIfLarge(entry.length);
    const old = served.form.decode(entry);
    await caller.yieldIfLarge();
    latest = await request.revise(old, entry);
    sentLink = textAt(latest, "metadata", "selfLink");
    await caller.yieldIfLarge();
    const change = await settle(scope, request, { object: latest, old, entry, attempts });
    attempts?.sent();
    return change;
  };
  const current = await storage.read(key);
  if (current === undefined && request.createWhenMissing) {
    const fresh = await request.revise(undefined, undefined);
    checkVersionText(fresh);
    try {
      const { options, ownership } = request;
      const entry = await createObject(scope, { object: fresh, options, ownership, authorizedAs: "write" });
      return { code: 201, entry, object: entry === undefined ? await served.form.roundTrip(fresh, caller) : fresh };
    } catch (error) {
      // Somebody was faster: then there is something to change.
      if (!isTaken(error) || (await storage.read(key)) === undefined) {
        throw error;
      }
      return reviseAndStore(scope, request, attempts);
    }
  }
  if (request.options.dryRun) {
    await decide(current);
    attempts?.notStored();
    metaOf(latest).resourceVersion = String(current?.revision ?? "");
    const object = await served.form.roundTrip(latest, caller);
    if (sentLink !== "") {
      // v1.29 stores no links to objects, but shows those that were sent where nothing is stored.
      metaOf(object)["selfLink"] = sentLink;
      served.form.canonicalize(object);
    }
    return { code: 200, entry: undefined, object };
  }
  const storing = {
    ttlSeconds: ttlSecondsOf(scope),
    mayForgetOwners: request.ownership !== "stated",
    read: current,
  };
  const { entry, outcome } = await awaitStore(caller, () => storage.change(key, besideStore(caller, decide), storing));
  if (outcome !== "deleted") {
    attempts?.stored();
    return { code: 200, entry, object: latest };
  }
  // The old object is gone, and the new one was never stored; the client sees the new one all the same.
  attempts?.notStored();
  await endOfObject(environment.reportFault, served, entry as CacheEntry);
  return { code: 200, entry: undefined, object: latest };
}

function isTaken(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "AlreadyExists";
}

/** Checks the uid of the object to be replaced, if the write states one; `old` is the current object. */
export function checkUid(
  served: ServedResource,
  sent: JsonObject,
  old: JsonObject | undefined,
  { dryRun }: WriteOptions,
): void {
  const { uid = "" } = metaOf(sent);
  const { name = "", namespace = "" } = metaOf(old ?? sent);
  const oldUid = old === undefined ? "" : (metaOf(old).uid ?? "");
  if (uid !== "" && uid !== oldUid) {
    throw conflict(
      served,
      name,
      `StorageError: invalid object, Code: 4, Key: ${shownKey(served, namespace, name, dryRun)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${oldUid}`,
    );
  }
}

/** Returns the key as v1.29 shows it in errors: in dry runs without the prefix of all keys. */
function shownKey(served: ServedResource, namespace: string, name: string, dryRun: boolean): string {
  const { storage, definition } = served;
  const key = storage.keyOf(namespace, name);
  return dryRun ? `/${key.slice(key.indexOf(definition.storage?.prefix ?? ""))}` : key;
}

/** One attempt at a change. */
interface Attempt {
  /** The object as the client wants it. */
  readonly object: JsonObject;
  /** The object that it replaces, in the served version. */
  readonly old: JsonObject;
  /** The entry of the replaced object, as it is stored. */
  readonly entry: CacheEntry;
  readonly attempts: WriteAttempts | undefined;
}

/** Turns a revised object into the change to be written: checks, server-owned members, admission, validation. */
async function settle(scope: OperationScope, request: UpdateRequest, attempt: Attempt): Promise<Change> {
  const { environment, caller, served } = scope;
  const { object, old, attempts } = attempt;
  const name = caller.info.name;
  const { transactions } = served;
  const { dryRun } = request.options;
  // An apply gives its entry a new time where it changes anything.
  let isTimed = (): boolean => !isSameValue(withoutManagers(object), withoutManagers(old));
  if (request.ownership !== "stated") {
    const isTracked = await trackFields(
      scope,
      { live: old, object, subresource: request.subresource },
      request.options,
    );
    isTimed = () => isTracked;
    await caller.yieldIfLarge();
  }
  const attributes = updateAttributes(scope, { ...request, isTimed }, object, old);
  if (request.shown === undefined) {
    await mutateInAdmission(environment, attributes);
    if (attributes.isChanged) {
      await fillDefaults(scope, object);
      checkNamespace(object, scope);
    }
  }
  checkVersion(served, name, object, old);
  metaOf(object).resourceVersion = metaOf(old).resourceVersion as string;
  dedupOwnerReferences(object, caller, true);
  await served.definition.strategy.update.authorize?.(attributes, environment.privileges);
  if (transactions !== undefined && request.subresource === (transactions.subresource ?? "")) {
    await attempts?.begin(() => transactions.beginUpdate(object, old, { dryRun }));
  }
  const context = strategyContext(scope, request.subresource);
  keepWhatTheServerOwns(served, context, object, old);
  if (request.subresource === "status" && served.definition.unstructured === undefined) {
    // Everything else is the old one's by now, and metadata of some built-in kinds follows from it.
    await fillDefaults(scope, object);
  }
  // Asked last: what a client has sent of the server's own members is no change.
  keepTimesIfUnchanged(object, old, served.form);
  await caller.yieldIfLarge();
  const empty = await validateAndCanonicalize(caller, served, object, old, context);
  await served.definition.strategy.update.authorizeValid?.(attributes, environment.privileges);
  await caller.yieldIfLarge();
  if (request.subresource !== "status") {
    warnAbout(caller, served.definition.strategy.update.warningsOnUpdate, object, old);
  }
  const { shown } = request;
  await environment.admission.validate(
    shown === undefined ? attributes : shownAttributes(scope, { ...request, shown }, shown.of(object), shown.of(old)),
  );
  writeEmptyAsNull(empty);
  if (isFinished(served, object, old)) {
    return { type: "delete" };
  }
  // A Scale may have set what the schema does not state: that has counted as a change, and is gone once it is stored.
  const stated = shown === undefined ? object : served.form.prune(object);
  const stored = await served.form.toStored(structuredCloneIfConverted(served, stated), caller);
  if (served.form.convertsMembers) {
    keepUnconverted(served, request.subresource, stored, attempt.entry.object());
  }
  return { type: "write", object: stored };
}

function updateAttributes(
  { caller, served }: OperationScope,
  {
    subresource,
    options,
    isTimed,
  }: Pick<UpdateRequest, "subresource" | "options"> & { readonly isTimed?: () => boolean },
  object: JsonObject,
  oldObject: JsonObject,
  kind?: GroupVersionKind,
): AdmissionAttributes {
  return new AdmissionAttributes({
    operation: "UPDATE",
    caller,
    kind: kind ?? served,
    resource: served,
    subresource,
    object,
    oldObject,
    options: writeOptionsObject("UpdateOptions", options),
    dryRun: options.dryRun,
    hasNewTime: isTimed === undefined ? undefined : newTimeOf(served, isTimed),
  });
}

/** Returns the admission attributes of an update where another object stands for the written one. */
export function shownAttributes(
  scope: OperationScope,
  request: Pick<UpdateRequest, "subresource" | "options"> & { readonly shown: ShownWrite },
  object: JsonObject,
  oldObject: JsonObject,
): AdmissionAttributes {
  return updateAttributes(scope, request, object, oldObject, request.shown.kind);
}

/**
 * Keeps the stored form of members that the write is not about: an older version may not be able to express all of it.
 */
function keepUnconverted(served: ServedResource, subresource: string, stored: JsonObject, before: JsonObject): void {
  if (subresource === "" && served.definition.hasStatus) {
    copyMembers(before, stored, ["status"]);
  }
  if (subresource === "status") {
    for (const key of new Set([...Object.keys(before), ...Object.keys(stored)])) {
      if (key !== "status" && key !== "metadata" && key !== "kind" && key !== "apiVersion") {
        copyMembers(before, stored, [key]);
      }
    }
  }
}

function structuredCloneIfConverted(served: ServedResource, object: JsonObject): JsonObject {
  return served.form.converts ? structuredClone(object) : { ...object, metadata: { ...metaOf(object) } };
}

/** Checks that a stated resourceVersion is a number. Throws 400 if it is none. */
function checkVersionText(object: JsonObject): void {
  const { resourceVersion = "" } = metaOf(object);
  if (resourceVersion !== "") {
    parseUnsigned(resourceVersion, badRequest);
  }
}

/** Checks that a stated resourceVersion is the current one: a stale object never overwrites. */
function checkVersion(served: ServedResource, name: string, object: JsonObject, old: JsonObject): void {
  const version = metaOf(object).resourceVersion;
  checkVersionText(object);
  if (version === undefined || version === "" || version === "0") {
    if (!served.definition.strategy.update.allowUnconditionalUpdate) {
      // v1.29 names the resource where other errors name the kind.
      throw invalid({ group: served.group, kind: served.resource }, name, [resourceVersionRequired()]);
    }
  } else if (version !== metaOf(old).resourceVersion) {
    throw conflict(served, name);
  }
}

/** Reports whether a write takes the last finalizer off an object that is being deleted, which removes it. */
function isFinished(served: ServedResource, object: JsonObject, old: JsonObject): boolean {
  const oldMeta = metaOf(old);
  return (
    oldMeta.deletionTimestamp !== undefined &&
    Number(oldMeta.deletionGracePeriodSeconds ?? 0) === 0 &&
    (metaOf(object).finalizers?.length ?? 0) === 0 &&
    (served.definition.strategy.deletion.ownFinalizers?.(object).length ?? 0) === 0
  );
}
