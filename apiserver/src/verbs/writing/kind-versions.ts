import { DecodeError } from "@gatehouse/envelopes/errors";
import { goQuote } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { awaited, type WaitingSteps } from "@gatehouse/envelopes/scheduling";
import { StatusError } from "@gatehouse/envelopes/status";
import type { ConvertObjects, UnstructuredKind } from "../../forms/unstructured-kind.js";
import { checkValue } from "../../managed-fields/check-value.js";
import { ConversionFailedError, FieldsError } from "../../managed-fields/fields-error.js";
import { type MergeType, mergeTypeOf } from "../../managed-fields/merge-type.js";
import type { MergedKind } from "../../managed-fields/merged-kind.js";
import { refuseTooManyFields } from "../../managed-fields/too-many-fields.js";
import type { RegistrySource } from "../../registry/live-registry.js";
import type { ServedResource } from "../../registry/served-resource.js";
import { decodeUnstructured } from "../body/patch-document.js";

/** The versions of a kind, as tracking of field ownership needs them. */
export type KindVersions = Pick<MergedKind, "typeIn" | "convert">;

/** Returns the versions of a built-in kind: all that are served and stored in the same place. */
export function builtInVersions(liveRegistry: RegistrySource, served: ServedResource): KindVersions {
  const { apiVersion, kind } = served;
  const inVersion = (version: string): ServedResource | undefined => {
    const other = version === apiVersion ? served : liveRegistry.current.findKind(version, kind);
    return other?.isStored === true && other.storage === served.storage ? other : undefined;
  };
  return {
    typeIn(version) {
      const other = inVersion(version);
      return other === undefined ? undefined : mergeTypeOf(other.schema);
    },
    *convert(object, version) {
      const [from, to] = [inVersion(String(object["apiVersion"])), inVersion(version)];
      if (from === undefined || to === undefined) {
        throw new FieldsError(`no kind ${goQuote(kind)} is registered for version ${goQuote(version)}`);
      }
      const stored = yield* awaited(from.form.toStored(asStruct(from, object)));
      return yield* awaited(to.form.fromStored(stored));
    },
  };
}

/**
 * Returns the object with the members that its version always writes: before a conversion, Go has read it into a
 * struct.
 */
function asStruct(version: ServedResource, object: JsonObject): JsonObject {
  try {
    return { kind: version.kind, apiVersion: version.apiVersion, ...decodeUnstructured(version, object).object };
  } catch (error) {
    throw error instanceof DecodeError ? new FieldsError(error.message, { cause: error }) : error;
  }
}

/**
 * Returns the versions of a custom kind: all that its definition has, served or not. Once fields are owned in a version
 * that is no longer among them, v1.29 cannot tell the owners. `servedVersion` is that of the write: all conversions
 * begin or end there.
 */
export function definedVersions(kind: UnstructuredKind, servedVersion: string): KindVersions {
  const typeIn = (version: string): MergeType => {
    const schema = kind.schemaOf(version);
    if (schema === undefined) {
      throw new FieldsError(`request to convert CR to an invalid group/version: ${version}`);
    }
    return mergeTypeOf(schema);
  };
  return {
    typeIn,
    *convert(object, version) {
      const { convert } = kind;
      if (convert === undefined || saysNothing(object)) {
        const renamed = { ...object, apiVersion: version };
        refuseMisfit(typeIn(version), renamed);
        return renamed;
      }
      const inServed = yield* askForVersion(convert, object, servedVersion);
      const converted = yield* askForVersion(convert, inServed, version);
      try {
        refuseMisfit(typeIn(version), converted);
      } catch (error) {
        throw error instanceof FieldsError ? new ConversionFailedError(error.message, { cause: error }) : error;
      }
      return converted;
    },
  };
}

/** Reports whether an object is empty: one that does not exist yet needs no conversion. */
function saysNothing(object: JsonObject): boolean {
  return Object.keys(object).every((name) => name === "kind" || name === "apiVersion");
}

function* askForVersion(convert: ConvertObjects, object: JsonObject, apiVersion: string): WaitingSteps<JsonObject> {
  if (object["apiVersion"] === apiVersion) {
    return object;
  }
  let converted = object;
  try {
    yield async (signal) => {
      [converted = object] = await convert([object], apiVersion, signal);
    };
  } catch (error) {
    throw error instanceof StatusError ? new ConversionFailedError(error.message, { cause: error }) : error;
  }
  return converted;
}

/** Refuses a converted object that does not fit the schema of its version, by which it is merged. */
function refuseMisfit(type: MergeType, object: JsonObject): void {
  refuseTooManyFields(type, object);
  checkValue(type, object, "refused");
}
