import { decodeJson } from "@gatehouse/envelopes/codec";
import { createDefaulting } from "@gatehouse/envelopes/defaults";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { defaultFeatures } from "@gatehouse/envelopes/features";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { builtinDefaultingFunctions } from "@gatehouse/envelopes/kind-defaults";
import { kindSchema } from "@gatehouse/envelopes/schema";

/** Error of an object that no server would show to a hook. */
export class BadObjectError extends Error {
  override readonly name = "BadObjectError";
}

const applyDefaults = createDefaulting(builtinDefaultingFunctions);

/**
 * Returns the object as a server of v1.29 would show it to a hook: decoded by the schema of its kind, with its
 * defaults. Members that are set after admission (uid, times, generation) are not added. Kinds without a built-in
 * schema stay as they are. Throws BadObjectError when a member is unknown or of a wrong type.
 */
export function prepareObject(value: JsonObject): JsonObject {
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string") {
    throw new BadObjectError("the object must have apiVersion and kind");
  }
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const schema = kindSchema(group ?? "", version ?? "", kind)?.schema;
  if (schema === undefined) {
    return value;
  }
  const { object, unknownFields } = decode(value, schema, kind);
  refuseUnknown(kind, unknownFields);
  applyDefaults(schema, object, defaultFeatures);
  return object;
}

/** Throws BadObjectError if there are unknown members. */
export function refuseUnknown(kind: string, unknownFields: readonly string[]): void {
  if (unknownFields.length > 0) {
    throw new BadObjectError(
      `${kind}: unknown field ${unknownFields.map((field) => JSON.stringify(field)).join(", ")}`,
    );
  }
}

function decode(value: JsonValue, schema: Parameters<typeof decodeJson>[0], kind: string) {
  try {
    return decodeJson(schema, value);
  } catch (error) {
    throw error instanceof DecodeError ? new BadObjectError(`${kind}: ${error.message}`, { cause: error }) : error;
  }
}
