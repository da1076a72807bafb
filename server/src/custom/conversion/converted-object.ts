import {
  type FieldError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  validateAnnotations,
  validateLabels,
} from "@gatehouse/envelopes";
import { goTypeName } from "../../objects/go-value-text.js";
import { objectAt, textAt } from "../../objects/json-fields.js";

/** An answer of a conversion webhook that cannot be taken. */
export class ConversionError extends Error {}

/** Members of the metadata that a conversion may change. */
const convertible = ["labels", "annotations"] as const;

/**
 * Takes over what a webhook has made of an object: kind, name, namespace and uid have to be the same, and of the metadata
 * only labels and annotations are the webhook's. `what` introduces errors, `whatOfMetadata` those of the metadata. Throws
 * ConversionError.
 */
export function takeConverted(
  original: JsonObject,
  converted: JsonValue,
  apiVersion: string,
  what: string,
  whatOfMetadata: string,
): JsonObject {
  if (!isJsonObject(converted)) {
    throw new ConversionError(`${what}: Object 'Kind' is missing in '${JSON.stringify(converted)}'`);
  }
  const said = textAt(converted, "apiVersion");
  if (said !== apiVersion) {
    throw new ConversionError(`${what}: invalid groupVersion (expected ${apiVersion}, received ${said})`);
  }
  const kind = textAt(original, "kind");
  if (textAt(converted, "kind") !== kind) {
    throw new ConversionError(`${what}: invalid kind (expected ${kind}, received ${textAt(converted, "kind")})`);
  }
  checkIdentity(original, converted, what);
  try {
    return { ...converted, metadata: metadataOf(original, converted) };
  } catch (error) {
    throw error instanceof ConversionError
      ? new ConversionError(`${whatOfMetadata}: ${error.message}`, { cause: error })
      : error;
  }
}

const identity = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

function checkIdentity(original: JsonObject, converted: JsonObject, what: string): void {
  for (const [member, shown] of identity) {
    const [expected, found] = [original, converted].map((object) => textAt(object, "metadata", member));
    if (expected !== found) {
      throw new ConversionError(`${what}: must have the same ${shown}: ${expected} != ${found}`);
    }
  }
}

function metadataOf(original: JsonObject, converted: JsonObject): JsonObject {
  const { metadata } = converted;
  if (metadata === undefined) {
    throw new ConversionError("missing metadata in converted object");
  }
  if (!isJsonObject(metadata)) {
    throw new ConversionError(`invalid metadata of type ${goTypeName(metadata)} in converted object`);
  }
  const result: JsonObject = { ...objectAt(original, "metadata") };
  for (const member of convertible) {
    const value = metadata[member];
    if (value === undefined || value === null) {
      delete result[member];
    } else {
      result[member] = checkedTexts(member, value);
    }
  }
  return result;
}

function checkedTexts(member: (typeof convertible)[number], value: JsonValue): JsonObject {
  if (!isJsonObject(value)) {
    throw new ConversionError(`invalid metadata.${member} of type ${goTypeName(value)} in converted object`);
  }
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") {
      const type = goTypeName(text ?? null);
      throw new ConversionError(`metadata.${member}[${key}] must be a string, but is ${type} in converted object`);
    }
  }
  const errors: readonly FieldError[] =
    member === "labels" ? validateLabels(value, "metadata.labels") : validateAnnotations(value, "metadata.annotation");
  if (errors.length > 0) {
    const texts = errors.map(({ field, message }) => `${field}: ${message}`);
    throw new ConversionError(texts.length === 1 ? (texts[0] as string) : `[${texts.join(", ")}]`);
  }
  return value;
}
