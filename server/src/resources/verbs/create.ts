import { randomUUID } from "node:crypto";
import {
  alreadyExists,
  badRequest,
  fieldError,
  generateNameConflict,
  invalid,
  type JsonObject,
} from "@gatehouse/envelopes";
import type { Caller } from "../../request/caller.js";
import type { RequestContext } from "../../request/request-context.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { generateName } from "../generate-name.js";
import { metaOf, timestamp } from "../object-meta.js";
import type { ServedResource } from "../served-resource.js";
import { decodeBody } from "./decode-body.js";
import { fillDefaults } from "./fill-defaults.js";
import { finishObject } from "./finish-object.js";
import { representationFor, respondWithEntry, respondWithObject } from "./respond.js";
import { strategyContext, ttlSecondsOf, type VerbEnvironment } from "./verb-environment.js";
import { inTransactions, type WriteAttempts } from "./write-attempts.js";
import { parseWriteOptions } from "./write-options.js";

/** POST to a collection: decode, name, default, admit, validate, store, respond. */
export async function create(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): Promise<void> {
  const representation = representationFor(context);
  const options = parseWriteOptions(context.query, "CreateOptions");
  const object = await decodeBody(context, served, options.fieldValidation);
  checkNamespace(object, served, context.info.namespace);
  const entry = await createObject(environment, context, served, object, options.dryRun);
  if (entry === undefined) {
    respondWithObject(context, served, 201, object, representation);
  } else {
    respondWithEntry(context, served, 201, entry, representation);
  }
}

/**
 * Makes a decoded object the server's own and stores it. With `dryRun` everything happens but the storing; the object
 * passed in then is what would have been stored.
 */
export function createObject(
  environment: VerbEnvironment,
  caller: Caller,
  served: ServedResource,
  object: JsonObject,
  dryRun: boolean,
): Promise<CacheEntry | undefined> {
  const run = (attempts?: WriteAttempts): Promise<CacheEntry | undefined> =>
    completeAndStore(environment, caller, served, object, dryRun, attempts);
  return served.transactions === undefined ? run() : inTransactions(environment.reportFault, run);
}

async function completeAndStore(
  environment: VerbEnvironment,
  caller: Caller,
  served: ServedResource,
  object: JsonObject,
  dryRun: boolean,
  attempts: WriteAttempts | undefined,
): Promise<CacheEntry | undefined> {
  const { definition, storage, transactions } = served;
  const meta = metaOf(object);
  if (meta.resourceVersion !== undefined && meta.resourceVersion !== "") {
    throw badRequest("resourceVersion should not be set on objects to be created");
  }
  fillDefaults(environment, served, object);
  const attributes = { operation: "CREATE", caller, served, object, oldObject: undefined, dryRun } as const;
  await environment.admission.mutate(attributes);
  const generated = nameObject(served, object);
  const name = meta.name as string;
  beginLife(served, object, environment.now());
  if (transactions !== undefined) {
    await attempts?.begin(() => transactions.beginCreate(object, { dryRun }));
  }
  definition.prepareForCreate?.(object, strategyContext(environment, caller, ""));
  finishObject(served, object, undefined);
  await environment.admission.validate(attributes);
  const key = storage.keyOf(meta.namespace ?? "", name);
  if (dryRun) {
    if ((await storage.read(key)) !== undefined) {
      throw alreadyExists(served, name);
    }
    return undefined;
  }
  attempts?.sent();
  const entry = await storage.create(key, served.toStorage(object), ttlSecondsOf(environment, served));
  if (entry === undefined) {
    attempts?.retry();
    throw generated ? generateNameConflict(served, name) : alreadyExists(served, name);
  }
  attempts?.stored();
  return entry;
}

/**
 * The namespace of the path is the one the object gets; a different one in the body is a mistake. Cluster-scoped objects
 * have none, whatever the body says.
 */
export function checkNamespace(object: JsonObject, served: ServedResource, requestNamespace: string): void {
  const meta = metaOf(object);
  if (!served.namespaced) {
    delete meta.namespace;
  } else if (meta.namespace === undefined || meta.namespace === "") {
    meta.namespace = requestNamespace;
  } else if (meta.namespace !== requestNamespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** Fills in a name from generateName. True when the name was generated. */
function nameObject(served: ServedResource, object: JsonObject): boolean {
  const meta = metaOf(object);
  if (meta.name !== undefined && meta.name !== "") {
    return false;
  }
  if (meta.generateName === undefined || meta.generateName === "") {
    throw invalid(served, "", [fieldError.required("metadata.name", "name or generateName is required")]);
  }
  meta.name = generateName(meta.generateName);
  return true;
}

/** Members that only the server writes. What a client says about them is dropped. */
function beginLife(served: ServedResource, object: JsonObject, nowMs: number): void {
  const { definition } = served;
  const meta = metaOf(object);
  meta.uid = randomUUID();
  meta.creationTimestamp = timestamp(nowMs);
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete meta["selfLink"];
  delete meta.generation;
  if (definition.hasGeneration) {
    meta.generation = 1;
  }
  if (definition.hasStatus && definition.statusOnCreate === "dropped") {
    delete object["status"];
  }
}
