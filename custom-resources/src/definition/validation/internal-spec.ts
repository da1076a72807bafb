import { isSamePointer } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonArray, type JsonObject, listAt, objectAt } from "@gatehouse/envelopes/json";

/**
 * The spec of a definition as v1.29 validates it: members that all versions share are above the versions, not in them.
 * The paths in its messages are those of this form.
 */
export interface InternalSpec {
  /** The spec as the client wrote it. */
  readonly spec: JsonObject;
  readonly versions: readonly JsonObject[];
  /** The `schema` of all versions; undefined if they differ or have none. */
  readonly validation: JsonObject | undefined;
  readonly subresources: JsonObject | undefined;
  readonly additionalPrinterColumns: JsonArray;
}

const shared = ["schema", "subresources", "additionalPrinterColumns"] as const;

/** Returns the internal form of a definition's spec, with members that all versions share moved out of them. */
export function internalSpec(definition: JsonObject): InternalSpec {
  const spec = objectAt(definition, "spec");
  const versions = listAt(spec, "versions").filter(isJsonObject);
  const first = versions[0] ?? {};
  const moved = shared.filter((member) =>
    versions.every((version) => isSamePointer(emptyAsAbsent(version[member]), emptyAsAbsent(first[member]))),
  );
  const common = (member: (typeof shared)[number]): JsonObject[string] | undefined =>
    moved.includes(member) ? first[member] : undefined;
  const validation = common("schema");
  const subresources = common("subresources");
  const columns = common("additionalPrinterColumns");
  return {
    spec,
    versions: versions.map((version) => without(version, moved)),
    validation: isJsonObject(validation) ? validation : undefined,
    subresources: isJsonObject(subresources) ? subresources : undefined,
    additionalPrinterColumns: Array.isArray(columns) ? columns : [],
  };
}

/** Returns every openAPIV3Schema of a spec. */
export function schemasOf({ versions, validation }: InternalSpec): readonly JsonObject[] {
  return [validation, ...versions.map((version) => version["schema"])].flatMap((schema) => {
    const stated = isJsonObject(schema) ? schema["openAPIV3Schema"] : undefined;
    return isJsonObject(stated) ? [stated] : [];
  });
}

function emptyAsAbsent(value: JsonObject[string] | undefined): JsonObject[string] {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? null : value;
}

function without(version: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(version).filter(([member]) => !members.includes(member)));
}
