import type { JsonObject } from "@gatehouse/envelopes/json";
import { startSteps } from "@gatehouse/envelopes/scheduling";
import { FieldManager, type Writer } from "../../managed-fields/field-manager.js";
import { type FieldSet, fieldsAt } from "../../managed-fields/field-set.js";
import { mergeTypeOf } from "../../managed-fields/merge-type.js";
import type { MergedKind } from "../../managed-fields/merged-kind.js";
import { metaOf } from "../../objects/object-meta.js";
import type { RegistrySource } from "../../registry/live-registry.js";
import type { ServedResource } from "../../registry/served-resource.js";
import { writeStrategyOf } from "../../registry/strategies/resource-strategy.js";
import type { MaybePromise } from "../../request/handler.js";
import { ifLarge } from "../../request/if-large.js";
import type { OperationScope } from "../request-scope.js";
import type { WriteOptions } from "../write-options.js";
import { builtInVersions, definedVersions } from "./kind-versions.js";

// Keyed by resource, so that they live exactly as long as what they are for.
const managers = new WeakMap<ServedResource, Map<string, FieldManager>>();

/** Returns the FieldManager of a resource for writes through one path; `subresource` is empty for the object itself. */
export function fieldManagerOf({ environment, served }: OperationScope, subresource: string): FieldManager {
  let ofResource = managers.get(served);
  if (ofResource === undefined) {
    ofResource = new Map();
    managers.set(served, ofResource);
  }
  let manager = ofResource.get(subresource);
  if (manager === undefined) {
    manager = new FieldManager(mergedKindOf(environment.liveRegistry, served, subresource), subresource);
    ofResource.set(subresource, manager);
  }
  return manager;
}

/** Returns the name of the field manager and the time of a write. */
export function writerOf({ environment, caller }: OperationScope, { fieldManager }: WriteOptions): Writer {
  return { manager: fieldManager === "" ? caller.agent : fieldManager, nowMs: environment.now() };
}

function mergedKindOf(liveRegistry: RegistrySource, served: ServedResource, subresource: string): MergedKind {
  const { schema, apiVersion, kind, form } = served;
  const isCustom = form.versions !== undefined;
  const type = mergeTypeOf(schema);
  const versions =
    form.versions === undefined ? builtInVersions(liveRegistry, served) : definedVersions(form.versions, apiVersion);
  return {
    group: served.group,
    kind,
    apiVersion,
    type,
    blank: form.blank(),
    resetFields: resetFieldsOf(served, subresource),
    resetsInAllVersions: !isCustom,
    mayBeStale: isCustom,
    typeIn: (version) => (version === apiVersion ? type : versions.typeIn(version)),
    convert: versions.convert,
  };
}

function resetFieldsOf({ definition }: ServedResource, subresource: string): FieldSet {
  const { resetFields } = writeStrategyOf(definition.strategy, subresource);
  return fieldsAt(resetFields.map((path) => path.split(".").map((name) => `f:${name}`)));
}

/** A change whose fields are tracked. */
interface TrackedChange {
  /** The state before; undefined for a new object. */
  readonly live: JsonObject | undefined;
  readonly object: JsonObject;
  /** The part that the write is about; empty for the object itself. */
  readonly subresource: string;
}

/**
 * Writes the owners of the fields into a new state of an object. Fields that the conversion to the stored version fills
 * in belong to the writer as well. Returns true if the entry of the writer has the time of this write.
 */
export function trackFields(
  scope: OperationScope,
  change: TrackedChange,
  options: WriteOptions,
): MaybePromise<boolean> {
  const read = scope.served.form.convertsMembers ? roundTrip(scope, change) : change.object;
  const track = (readObject: JsonObject): MaybePromise<boolean> => trackRead(scope, change, readObject, options);
  return read instanceof Promise ? read.then(track) : track(read);
}

/** Writes the owners into an object, from `read`: the object as it will be read once it is stored. */
function trackRead(
  scope: OperationScope,
  { live, object, subresource }: TrackedChange,
  read: JsonObject,
  options: WriteOptions,
): MaybePromise<boolean> {
  const manager = fieldManagerOf(scope, subresource);
  const noted = startSteps(ifLarge(scope.caller), manager.update(live, read, writerOf(scope, options)));
  const take = (isTimed: boolean): boolean => {
    takeManagers(read, object);
    return isTimed;
  };
  return noted instanceof Promise ? noted.then(take) : take(noted);
}

function takeManagers(from: JsonObject, object: JsonObject): void {
  const managedFields = metaOf(from)["managedFields"];
  if (managedFields === undefined) {
    delete metaOf(object)["managedFields"];
  } else {
    metaOf(object)["managedFields"] = managedFields;
  }
}

/**
 * Returns an object as the stored version shows it, but for a status that the write is not about: versions may show
 * that in annotations.
 */
function roundTrip(
  { served, caller }: OperationScope,
  { live, object, subresource }: TrackedChange,
): MaybePromise<JsonObject> {
  const isKept = subresource === "" && served.definition.hasStatus;
  return served.form.roundTrip(isKept ? { ...object, status: live?.["status"] ?? {} } : object, caller);
}

/**
 * Returns what admission is told of a new time in managed fields: objects of custom kinds are documents in v1.29, whose times are whole
 * seconds.
 */
export function newTimeOf({ form }: ServedResource, isTimed: () => boolean): (() => boolean) | undefined {
  return form.versions === undefined ? isTimed : undefined;
}
