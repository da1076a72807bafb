import { DecodeError, decodeJson, goQuote, type JsonObject } from "@gatehouse/envelopes";
import type { CatalogueSource } from "../../catalogue/live-catalogue.js";
import type { StoredForm } from "../../catalogue/resource-definition.js";
import type { ServedResource } from "../../catalogue/served-resource.js";
import { FieldManager, type Writer } from "../../managed-fields/field-manager.js";
import { type FieldSet, fieldsAt } from "../../managed-fields/field-set.js";
import { FieldsError } from "../../managed-fields/fields-error.js";
import { mergeTypeOf } from "../../managed-fields/merge-type.js";
import type { MergedKind } from "../../managed-fields/merged-kind.js";
import { metaOf } from "../../objects/object-meta.js";
import type { Caller } from "../../request/caller.js";
import { decodeUnstructured } from "../body/patch-document.js";
import type { VerbEnvironment } from "../verb-environment.js";
import type { WriteOptions } from "../write-options.js";

// Keyed by resource, so that they live exactly as long as what they are for.
const managers = new WeakMap<ServedResource, Map<string, FieldManager>>();

/** Who keeps track of the fields of a resource, below one path; `subresource` is empty for the object itself. */
export function fieldManagerOf(
  { catalogues }: Pick<VerbEnvironment, "catalogues">,
  served: ServedResource,
  subresource: string,
): FieldManager {
  let ofResource = managers.get(served);
  if (ofResource === undefined) {
    ofResource = new Map();
    managers.set(served, ofResource);
  }
  let manager = ofResource.get(subresource);
  if (manager === undefined) {
    manager = new FieldManager(mergedKindOf(catalogues, served, subresource), subresource);
    ofResource.set(subresource, manager);
  }
  return manager;
}

/** In whose name a write is done. */
export function writerOf(environment: VerbEnvironment, caller: Caller, { fieldManager }: WriteOptions): Writer {
  return { manager: fieldManager === "" ? caller.agent : fieldManager, nowMs: environment.now() };
}

function mergedKindOf(catalogues: CatalogueSource, served: ServedResource, subresource: string): MergedKind {
  const { schema, apiVersion, kind, definition } = served;
  const { storedForm } = definition;
  const isCustom = storedForm !== undefined;
  const type = mergeTypeOf(schema);
  const versions = isCustom ? definedVersions(storedForm) : builtInVersions(catalogues, served);
  return {
    group: served.group,
    kind,
    apiVersion,
    type,
    blank: { kind, apiVersion, ...(isCustom ? {} : decodeJson(schema, {}).object) },
    resetFields: resetFieldsOf(served, subresource),
    mayBeStale: isCustom,
    typeIn: (version) => (version === apiVersion ? type : versions.typeIn(version)),
    convert: versions.convert,
  };
}

type Versions = Pick<MergedKind, "typeIn" | "convert">;

/** The versions of a built-in kind: whatever is served, and stored in the same place. */
function builtInVersions(catalogues: CatalogueSource, served: ServedResource): Versions {
  const { apiVersion, kind } = served;
  const inVersion = (version: string): ServedResource | undefined => {
    const other = version === apiVersion ? served : catalogues.current.findKind(version, kind);
    return other?.isStored === true && other.storage === served.storage ? other : undefined;
  };
  return {
    typeIn(version) {
      const other = inVersion(version);
      return other === undefined ? undefined : mergeTypeOf(other.schema);
    },
    convert(object, version) {
      const [from, to] = [inVersion(String(object["apiVersion"])), inVersion(version)];
      if (from === undefined || to === undefined) {
        throw new FieldsError(`no kind ${goQuote(kind)} is registered for version ${goQuote(version)}`);
      }
      return to.fromStorage(from.toStorage(asStruct(from, object)));
    },
  };
}

/**
 * The versions of a custom kind: all that its definition has, served or not. Once somebody owns fields in a version that is
 * no longer among them, v1.29 cannot tell who owns what.
 */
function definedVersions(form: StoredForm): Versions {
  return {
    typeIn(version) {
      const schema = form.schemaOf(version);
      if (schema === undefined) {
        throw new FieldsError(`request to convert CR to an invalid group/version: ${version}`);
      }
      return mergeTypeOf(schema);
    },
    convert: (object, version) => ({ ...object, apiVersion: version }),
  };
}

/** The object with the members that its version always writes: what is converted has been read into a struct before. */
function asStruct(version: ServedResource, object: JsonObject): JsonObject {
  try {
    return { kind: version.kind, apiVersion: version.apiVersion, ...decodeUnstructured(version, object).object };
  } catch (error) {
    throw error instanceof DecodeError ? new FieldsError(error.message, { cause: error }) : error;
  }
}

function resetFieldsOf({ definition }: ServedResource, subresource: string): FieldSet {
  const { resetFields, hasStatus } = definition;
  const usual = !hasStatus ? [] : subresource === "" ? ["status"] : subresource === "status" ? ["spec"] : [];
  const paths = Object.hasOwn(resetFields, subresource) ? resetFields[subresource] : usual;
  return fieldsAt((paths ?? []).map((path) => path.split(".").map((name) => `f:${name}`)));
}

/**
 * Notes on a new state of an object who owns which of its fields; `live` is the state before, undefined for a new object.
 * What the conversion to the stored version fills in belongs to the writer as well.
 */
export function trackFields(
  environment: VerbEnvironment,
  caller: Caller,
  served: ServedResource,
  change: { readonly live: JsonObject | undefined; readonly object: JsonObject; readonly subresource: string },
  options: WriteOptions,
): void {
  const { live, object, subresource } = change;
  const read = served.converts && !served.isUnstructured ? throughStored(served, change) : object;
  fieldManagerOf(environment, served, subresource).update(live, read, writerOf(environment, caller, options));
  const managedFields = metaOf(read)["managedFields"];
  if (managedFields === undefined) {
    delete metaOf(object)["managedFields"];
  } else {
    metaOf(object)["managedFields"] = managedFields;
  }
}

/** An object as the stored version knows it, but for a status that the write is not about: versions may show that in annotations. */
function throughStored(
  served: ServedResource,
  { live, object, subresource }: Parameters<typeof trackFields>[3],
): JsonObject {
  const isKept = subresource === "" && served.definition.hasStatus;
  return served.fromStorage(served.toStorage(isKept ? { ...object, status: live?.["status"] ?? {} } : object));
}
