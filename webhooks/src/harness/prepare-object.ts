import {
  createDefaulting,
  DecodeError,
  decodeJson,
  type JsonObject,
  type JsonValue,
  kindSchema,
} from "@gatehouse/envelopes";

/** An object cannot be what a server would show to a hook. */
export class BadObjectError extends Error {
  override readonly name = "BadObjectError";
}

const applyStatedDefaults = createDefaulting<undefined>({});

/**
 * The object as a server would decode it: by the schema of its kind, with the defaults that the schema states (the
 * protocol of a port, the restart policy of a pod, ...). Not filled in is what a server computes: replicas of a workload,
 * names, identities, times. Kinds without a built-in schema stay as they are. Throws BadObjectError when a member is
 * unknown or of a wrong type.
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
  if (unknownFields.length > 0) {
    throw new BadObjectError(
      `${kind}: unknown field ${unknownFields.map((field) => JSON.stringify(field)).join(", ")}`,
    );
  }
  applyStatedDefaults(schema, object, undefined);
  return object;
}

function decode(value: JsonValue, schema: Parameters<typeof decodeJson>[0], kind: string) {
  try {
    return decodeJson(schema, value);
  } catch (error) {
    throw error instanceof DecodeError ? new BadObjectError(`${kind}: ${error.message}`, { cause: error }) : error;
  }
}
