import type { JsonObject } from "@gatehouse/envelopes";
import type { FieldSet } from "./field-set.js";
import type { MergeType } from "./merge-type.js";

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
  /** Whether objects may be stored that the schema of now would not let in: then they are checked before use. */
  readonly mayBeStale: boolean;
  /**
   * The type of the same kind in any version; undefined when there is no such version, and what is owned in it is nobody's.
   * Throws FieldsError where owners of such a version make it impossible to tell who owns what.
   */
  typeIn(apiVersion: string): MergeType | undefined;
  /** An object of any version in another one, both known. The result may share parts with the object. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
}
