import { encodeJson, jsonTypeName } from "@gatehouse/envelopes/codec";
import { goTypeOfJson, isGroupVersion } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { FieldError } from "@gatehouse/envelopes/status";
import { validateAnnotations, validateLabels } from "@gatehouse/envelopes/validation";

/** An answer of a conversion webhook that cannot be taken. */
export class ConversionError extends Error {}

/** The error for a value of a webhook that is no object. v1.29's message does not say where the value comes from. */
export class UnreadableObjectError extends ConversionError {}

/** Members of the metadata that a conversion may change. */
const convertible = ["labels", "annotations"] as const;

/** The beginnings of v1.29's messages about a converted object. */
export interface ErrorIntroductions {
  readonly ofKind: string;
  readonly ofIdentity: string;
  readonly ofMetadata: string;
}

/**
 * Takes over what a webhook has made of an object: kind, name, namespace and uid have to be the same, and of the metadata
 * only labels and annotations are the webhook's. Throws ConversionError.
 */
export function takeConverted(
  original: JsonObject,
  converted: JsonValue,
  apiVersion: string,
  told: ErrorIntroductions,
): JsonObject {
  if (!isJsonObject(converted)) {
    throw new UnreadableObjectError(
      converted === null
        ? "unexpected end of JSON input"
        : `json: cannot unmarshal ${jsonTypeName(converted)} into Go value of type map[string]interface {}`,
    );
  }
  const said = textAt(converted, "apiVersion");
  // Of an object whose version is none v1.29 does not know the kind either.
  if (textAt(converted, "kind") === "" || !isGroupVersion(said)) {
    throw new UnreadableObjectError(`Object 'Kind' is missing in '${encodeJson(converted)}'`);
  }
  if (said !== apiVersion) {
    throw new ConversionError(`${told.ofKind}: invalid groupVersion (expected ${apiVersion}, received ${said})`);
  }
  const kind = textAt(original, "kind");
  if (textAt(converted, "kind") !== kind) {
    throw new ConversionError(`${told.ofKind}: invalid kind (expected ${kind}, received ${textAt(converted, "kind")})`);
  }
  checkIdentity(original, converted, told.ofIdentity);
  try {
    return { ...converted, metadata: metadataOf(original, converted) };
  } catch (error) {
    throw error instanceof ConversionError
      ? new ConversionError(`${told.ofMetadata}: ${error.message}`, { cause: error })
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
    throw new ConversionError(`invalid metadata of type ${goTypeOfJson(metadata)} in converted object`);
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
    throw new ConversionError(`invalid metadata.${member} of type ${goTypeOfJson(value)} in converted object`);
  }
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") {
      const type = text === undefined || text === null ? "<nil>" : goTypeOfJson(text);
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
