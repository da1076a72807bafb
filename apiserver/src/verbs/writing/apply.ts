import { copyJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { runSteps, type WaitingSteps } from "@gatehouse/envelopes/scheduling";
import { badRequest, conflict, StatusError } from "@gatehouse/envelopes/status";
import { ApplyConflictsError, describeManager } from "../../managed-fields/apply-conflicts.js";
import type { FieldManager, Writer } from "../../managed-fields/field-manager.js";
import { ConversionFailedError, FieldsError } from "../../managed-fields/fields-error.js";
import { withoutManagers, writeManagers } from "../../managed-fields/managers.js";
import { identityOf, kindOf } from "../../managed-fields/object-identity.js";
import { metaOf } from "../../objects/object-meta.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { Caller } from "../../request/caller.js";
import { ifLarge } from "../../request/if-large.js";
import { type ApplyDocument, readApplyDocument } from "../body/apply-document.js";
import type { ExpectedKind } from "../body/expected-kind.js";
import { decodeUnstructured } from "../body/patch-document.js";
import type { OperationScope, RequestScope } from "../request-scope.js";
import { offerOf } from "../respond.js";
import { type ApplyOptions, parseApplyOptions } from "../write-options.js";
import { beginWrite } from "./begin-write.js";
import { checkIdentity } from "./check-identity.js";
import { fieldManagerOf, writerOf } from "./field-managers.js";
import { fillDefaults } from "./fill-defaults.js";
import { respondWithOutcome, type UpdateOutcome, updateObject } from "./update.js";

/** Handles an apply patch of an object or of one of its object-typed subresources (server-side apply). */
export async function apply(scope: RequestScope): Promise<void> {
  const { context, served } = scope;
  const { representation, options } = beginWrite(context, offerOf(served, context), parseApplyOptions);
  const document = await readApplyDocument(context);
  const outcome = await applyObject(scope, document, options);
  await respondWithOutcome(scope, outcome, representation);
}

/**
 * Applies a document to the object that the caller asks for, or to the part of it. Creates the object when it is missing
 * and the document is about all of it.
 */
export function applyObject(
  scope: OperationScope,
  document: ApplyDocument,
  options: ApplyOptions,
): Promise<UpdateOutcome> {
  const { caller, served } = scope;
  const { name, subresource } = caller.info;
  const application = {
    document,
    expected: served,
    manager: fieldManagerOf(scope, subresource),
    writer: writerOf(scope, options),
    force: options.force,
    complete: (object: JsonObject) => fillDefaults(scope, object),
  };
  return updateObject(scope, {
    subresource,
    options,
    ownership: "stated",
    createWhenMissing: subresource === "",
    revise: async (old) => {
      const object = await applyTo(caller, application, old);
      document.reportDuplicates(caller, options.fieldValidation);
      if (old === undefined) {
        refuseUid(served, name, object);
      }
      checkIdentity(object, scope);
      return object;
    },
  });
}

/** One apply patch, independent of the object that it is applied to. */
export interface Application {
  readonly document: ApplyDocument;
  /** The kind of the object that is applied to, and of the result. */
  readonly expected: ExpectedKind;
  readonly manager: FieldManager;
  readonly writer: Writer;
  readonly force: boolean;
  /** Fills defaults into an object that has changed, in place, as `fillDefaults` does; one that has not stays as it is. */
  readonly complete?: (object: JsonObject) => Promise<void> | undefined;
}

/** Returns the applied object with its managers. Throws 409 when others own fields that it changes. */
export function applyTo(
  caller: Pick<Caller, "signal" | "yieldIfLarge">,
  application: Application,
  live: JsonObject | undefined,
): Promise<JsonObject> {
  return runSteps(ifLarge(caller), applying(application, live));
}

function* applying(application: Application, live: JsonObject | undefined): WaitingSteps<JsonObject> {
  const { document, expected, manager, writer, force } = application;
  yield* document.check(expected);
  yield;
  try {
    const applied = yield* manager.apply(live, document.config, writer, force);
    const merged = applied.object ?? (copyJson(withoutManagers(live ?? {})) as JsonObject);
    yield;
    // v1.29 takes what has been merged as it is: null is no way to say nothing here.
    const { object } = decodeUnstructured(expected, merged, { keepNulls: true });
    if (applied.object !== undefined) {
      const turn = application.complete?.(object);
      yield turn && (() => turn);
    }
    const managedFields = writeManagers(applied.managers);
    const meta = metaOf(object);
    delete meta["managedFields"];
    if (managedFields !== undefined) {
      meta["managedFields"] = managedFields;
    }
    return object;
  } catch (error) {
    throw refusal(error, document.config);
  }
}

function refusal(error: unknown, config: JsonObject): unknown {
  if (error instanceof ApplyConflictsError) {
    const causes = error.told.map(({ manager, path }) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${describeManager(manager)}`,
      field: path,
    }));
    return new StatusError(409, "Conflict", error.message, { causes });
  }
  if (error instanceof DecodeError) {
    return badRequest(
      `failed to convert new object (${identityOf(config)}) to proper version: unable to convert unstructured object to ${kindOf(config)}: ${error.message}`,
      error,
    );
  }
  if (error instanceof ConversionFailedError) {
    return new StatusError(500, "", error.message, undefined, { cause: error });
  }
  return error instanceof FieldsError ? badRequest(error.message, error) : error;
}

/** Refuses to create an object with a uid, since a uid means an object that exists. */
function refuseUid(served: ServedResource, name: string, object: JsonObject): void {
  const { uid = "" } = metaOf(object);
  if (uid !== "") {
    throw conflict(
      served,
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  }
}
