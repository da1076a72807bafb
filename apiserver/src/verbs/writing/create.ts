import { randomUUID } from "node:crypto";
import { writeEmptyAsNull } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import {
  alreadyExists,
  badRequest,
  fieldError,
  generateNameConflict,
  invalid,
  StatusError,
} from "@gatehouse/envelopes/status";
import { AdmissionAttributes } from "../../admission/attributes.js";
import { metaOf, type ObjectMeta, timestamp } from "../../objects/object-meta.js";
import { isStorableKey } from "../../registry/resource-storage.js";
import type { ServedResource } from "../../registry/served-resource.js";
import { dropDisabledFields } from "../../registry/strategies/drop-disabled-fields.js";
import type { Caller } from "../../request/caller.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { writeOptionsObject } from "../admission-options.js";
import { awaitStore } from "../await-store.js";
import { type OperationScope, type RequestScope, strategyContext, ttlSecondsOf } from "../request-scope.js";
import { offerOf, respondWithEntry, respondWithObject } from "../respond.js";
import type { WriteOptions } from "../write-options.js";
import { beginCreate, beginWrite, readSentObject } from "./begin-write.js";
import { checkNamespace } from "./check-identity.js";
import { dedupOwnerReferences } from "./dedup-owner-references.js";
import { newTimeOf, trackFields } from "./field-managers.js";
import { fillDefaults } from "./fill-defaults.js";
import { requireCreate } from "./may-create.js";
import { mutateInAdmission } from "./mutate-in-admission.js";
import { validateAndCanonicalize } from "./validate-and-canonicalize.js";
import { warnAbout } from "./warn-about.js";
import { inTransactions, type WriteAttempts } from "./write-attempts.js";

/** Longest name in bytes that fits into any key. */
const maxNameBytes = 1024;

/**
 * The source of an object's field ownership: still to be tracked for this write, or stated in the object already. An object
 * that is too large with its owners is stored without them only if they are tracked: an applier needs to know what it owns.
 */
export type Ownership = "tracked" | "stated";

/** An object to be created. */
export interface CreateRequest {
  /** The decoded object. It is completed in place; after a dry run it is what would have been stored. */
  readonly object: JsonObject;
  readonly options: WriteOptions;
  /** `tracked` when absent. */
  readonly ownership?: Ownership | undefined;
  /** `write` for an update that creates its object: the right to create is checked here then. `create` when absent. */
  readonly authorizedAs?: "create" | "write";
}

/** Handles POST to a collection: decode, name, default, admit, validate, store, respond. */
export async function create(scope: RequestScope): Promise<void> {
  const { context, served } = scope;
  const { representation, options } = beginWrite(context, offerOf(served, context), () => beginCreate(context));
  const object = await readSentObject(scope, served, options);
  const entry = await createObject(scope, { object, options });
  if (entry === undefined) {
    await respondWithObject(context, served, 201, await served.form.roundTrip(object, context), representation);
  } else {
    await respondWithEntry(context, served, 201, entry, representation);
  }
}

/** Makes a decoded object the server's own and stores it. Resolves with undefined in a dry run, where nothing is stored. */
export function createObject(scope: OperationScope, request: CreateRequest): Promise<CacheEntry | undefined> {
  const run = (attempts?: WriteAttempts): Promise<CacheEntry | undefined> => completeAndStore(scope, request, attempts);
  return scope.served.transactions === undefined ? run() : inTransactions(scope.environment.reportFault, run);
}

async function completeAndStore(
  scope: OperationScope,
  { object, options, ownership, authorizedAs }: CreateRequest,
  attempts: WriteAttempts | undefined,
): Promise<CacheEntry | undefined> {
  const { environment, caller, served } = scope;
  const { definition, storage, transactions } = served;
  const strategy = definition.strategy.create;
  const { dryRun } = options;
  if (authorizedAs !== "write") {
    // v1.29 takes what an update states of a deletion: the object begins its life as a terminating one.
    wipeSystemFields(metaOf(object));
  }
  await caller.yieldIfLarge();
  await fillDefaults(scope, object);
  let isTimed = true;
  if (ownership !== "stated") {
    isTimed = await trackFields(scope, { live: undefined, object, subresource: "" }, options);
    await caller.yieldIfLarge();
  }
  const attributes = new AdmissionAttributes({
    operation: "CREATE",
    caller,
    kind: served,
    resource: served,
    ...createdNames(caller, served, object),
    object,
    options: writeOptionsObject("CreateOptions", options),
    dryRun,
    hasNewTime: newTimeOf(served, () => isTimed),
  });
  await mutateInAdmission(environment, attributes);
  if (attributes.isChanged) {
    await fillDefaults(scope, object);
    checkNamespace(object, scope);
  }
  const meta = metaOf(object);
  dedupOwnerReferences(object, caller, true);
  await strategy.authorize?.(attributes, environment.privileges);
  if (!isSet(meta.name) && isSet(meta.generateName)) {
    meta.name = strategy.generateName(meta.generateName);
    attributes.named(meta.name);
  }
  beginLife(served, object, environment.now());
  if (transactions !== undefined) {
    await attempts?.begin(() => transactions.beginCreate(object, { dryRun }));
  }
  dropDisabledFields(served.schema, object, undefined, environment.features);
  const context = strategyContext(scope, "");
  strategy.resetStatus?.(object, context);
  strategy.prepareForCreate?.(object, context);
  await caller.yieldIfLarge();
  const empty = await validateAndCanonicalize(caller, served, object, undefined, context);
  await strategy.authorizeValid?.(attributes, environment.privileges);
  await caller.yieldIfLarge();
  warnAbout(caller, strategy.warningsOnCreate, object, undefined);
  if (authorizedAs === "write") {
    await requireCreate(scope);
  }
  await environment.admission.validate(attributes);
  if (!dryRun) {
    // A webhook may have set it: v1.29 stores no links to objects, but shows those that are not stored.
    delete metaOf(object)["selfLink"];
  }
  writeEmptyAsNull(empty);
  const key = storage.keyOf(meta.namespace ?? "", meta.name as string);
  if (!isStorableKey(key)) {
    // Names of some kinds have no bound of their own; etcd would take them.
    throw invalid(served, meta.name as string, [fieldError.tooLong("metadata.name", maxNameBytes)]);
  }
  if (dryRun) {
    const current = await storage.read(key);
    if (current !== undefined) {
      throw nameTaken(served, meta, current);
    }
    return undefined;
  }
  if (authorizedAs === "write") {
    forgetFormerLife(metaOf(object));
  } else {
    refuseVersion(meta);
  }
  const stored = await served.form.toStored(object, caller);
  attempts?.sent();
  const storing = { ttlSeconds: ttlSecondsOf(scope), mayForgetOwners: ownership !== "stated" };
  const entry = await awaitStore(caller, () => storage.create(key, stored, storing));
  if (entry === undefined) {
    attempts?.notStored();
    throw nameTaken(served, meta, await storage.read(key));
  }
  attempts?.stored();
  return entry;
}

/** Returns the names under which an object is created. Those of the request win; a namespace is in itself. */
function createdNames(
  { info }: Caller,
  { group, resource }: ServedResource,
  object: JsonObject,
): { readonly name: string; readonly namespace: string } {
  const name = info.name === "" ? (metaOf(object).name ?? "") : info.name;
  const isNamespace = group === "" && resource === "namespaces";
  return { name, namespace: isNamespace && info.namespace === "" ? name : info.namespace };
}

/** Refuses a resourceVersion, which only an object that exists has. v1.29 says the same with 500 (decisions/0008). */
function refuseVersion({ resourceVersion }: ObjectMeta): void {
  if (isSet(resourceVersion) && /^\d{1,20}$/.test(resourceVersion) && Number(resourceVersion) !== 0) {
    throw badRequest("resourceVersion should not be set on objects to be created");
  }
}

/** Drops what an update states of an object that is gone by now: its version, and a link, which v1.29 does not store. */
function forgetFormerLife(meta: ObjectMeta): void {
  delete meta.resourceVersion;
  delete meta["selfLink"];
}

/** Makes the error for a name that is taken; it says so if the object with this name is being deleted. */
function nameTaken(served: ServedResource, meta: ObjectMeta, current: CacheEntry | undefined): StatusError {
  const name = meta.name as string;
  const error = isSet(meta.generateName) ? generateNameConflict(served, name) : alreadyExists(served, name);
  const isGoing = current !== undefined && metaOf(current.object()).deletionTimestamp !== undefined;
  const { message, details } = error.status;
  return isGoing ? new StatusError(error.code, error.reason, `object is being deleted: ${message}`, details) : error;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

/** Drops members that only the server writes, before any code can take the client's values for true. */
function wipeSystemFields(meta: ObjectMeta): void {
  for (const name of systemFields) {
    if (meta[name] !== undefined) {
      delete meta[name];
    }
  }
  if (meta.creationTimestamp !== undefined) {
    // It is always there: an object that has lost a member is slow to read and to write ever after.
    meta.creationTimestamp = null;
  }
}

const systemFields = ["uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"] as const;

/** Gives a new object what only the server writes. */
function beginLife(served: ServedResource, object: JsonObject, nowMs: number): void {
  const meta = metaOf(object);
  meta.uid = randomUUID();
  meta.creationTimestamp = timestamp(nowMs);
  served.definition.strategy.generation?.begin(object);
}
