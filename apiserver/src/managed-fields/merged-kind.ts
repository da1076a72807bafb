import type { JsonObject } from "@gatehouse/envelopes/json";
import type { WaitingSteps } from "@gatehouse/envelopes/scheduling";
import type { FieldSet } from "./field-set.js";
import { FieldsError } from "./fields-error.js";
import type { MergeType } from "./merge-type.js";

/** A kind in one version, as ownership of fields needs to know it. */
export interface MergedKind {
  readonly group: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly type: MergeType;
  /** The object before a client states anything: the members that are always written. */
  readonly blank: JsonObject;
  /** The fields that this path of the API resets in every write, so that no manager comes to own them here. */
  readonly resetFields: FieldSet;
  /** True if writes reset the same fields in all versions; otherwise in this one alone. */
  readonly resetsInAllVersions: boolean;
  /** True if stored objects may break the current schema: then they are checked before use. */
  readonly mayBeStale: boolean;
  /**
   * Returns the type of this kind in any version; undefined when there is no such version: fields owned in it lose
   * their owner. Throws FieldsError where owners of such a version make ownership undecidable.
   */
  typeIn(apiVersion: string): MergeType | undefined;
  /**
   * Converts an object of any version to another one, both known. The result may share parts with the object. Throws
   * FieldsError, and ConversionFailedError where a webhook converts.
   */
  convert(object: JsonObject, apiVersion: string): WaitingSteps<JsonObject>;
}

/** Returns the members of MergedKind for a kind that has only one version. */
export function onlyVersion(
  apiVersion: string,
  type: MergeType,
): Pick<MergedKind, "apiVersion" | "type" | "resetsInAllVersions" | "typeIn" | "convert"> {
  return {
    apiVersion,
    type,
    resetsInAllVersions: true,
    typeIn: (version) => (version === apiVersion ? type : undefined),
    // biome-ignore lint/correctness/useYield: there is nothing to convert.
    *convert(object) {
      return object;
    },
  };
}

/**
 * Returns an object in another version. The text of a FieldsError begins with `what`, the failed operation, unless that
 * is empty.
 */
export function* inVersion(
  kind: MergedKind,
  object: JsonObject,
  apiVersion: string,
  what: string,
): WaitingSteps<JsonObject> {
  if (object["apiVersion"] === apiVersion) {
    return object;
  }
  try {
    return yield* kind.convert(object, apiVersion);
  } catch (error) {
    throw error instanceof FieldsError && what !== "" ? error.during(what) : error;
  }
}

/** Returns the kind for one write, in which no object is converted twice. */
export function convertingOnce(kind: MergedKind): MergedKind {
  const known = new Map<JsonObject, Map<string, JsonObject>>();
  return {
    ...kind,
    *convert(object, apiVersion) {
      let versions = known.get(object);
      if (versions === undefined) {
        versions = new Map();
        known.set(object, versions);
      }
      const converted = versions.get(apiVersion) ?? (yield* kind.convert(object, apiVersion));
      versions.set(apiVersion, converted);
      return converted;
    },
  };
}
