import type { JsonObject } from "@gatehouse/envelopes";
import type { FieldSet } from "./field-set.js";
import { FieldsError } from "./fields-error.js";
import type { MergeType } from "./merge-type.js";

/** Something to wait for in the midst of work: done when the promise is fulfilled. */
export type Waiting = (signal: AbortSignal) => Promise<void>;

/** Work that pauses where others may have their turn, and where it has to wait. */
export type FieldsWork<T> = Generator<Waiting | undefined, T, undefined>;

/** A kind in one version, as ownership of fields needs to know it. */
export interface MergedKind {
  readonly group: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly type: MergeType;
  /** What an object is before a client says anything: the members that are always written. */
  readonly blank: JsonObject;
  /** What this path of the API takes back from whoever writes it: nobody comes to own it here. */
  readonly resetFields: FieldSet;
  /** Whether the same is taken back in all versions, or in this one alone. */
  readonly resetsInAllVersions: boolean;
  /** Whether objects may be stored that the schema of now would not let in: then they are checked before use. */
  readonly mayBeStale: boolean;
  /**
   * The type of the same kind in any version; undefined when there is no such version, and what is owned in it is nobody's.
   * Throws FieldsError where owners of such a version make it impossible to tell who owns what.
   */
  typeIn(apiVersion: string): MergeType | undefined;
  /**
   * An object of any version in another one, both known. The result may share parts with the object. Throws FieldsError,
   * where others convert ConversionFailure.
   */
  convert(object: JsonObject, apiVersion: string): FieldsWork<JsonObject>;
}

/** What is to be said of the versions of a kind that has only one. */
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

/** An object in the version that is asked for. What fails is told with what was to be done. */
export function* inVersion(
  kind: MergedKind,
  object: JsonObject,
  apiVersion: string,
  what: string,
): FieldsWork<JsonObject> {
  if (object["apiVersion"] === apiVersion) {
    return object;
  }
  try {
    return yield* kind.convert(object, apiVersion);
  } catch (error) {
    throw error instanceof FieldsError && what !== "" ? error.during(what) : error;
  }
}

/** The kind as one write needs it: no object is converted twice. */
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
