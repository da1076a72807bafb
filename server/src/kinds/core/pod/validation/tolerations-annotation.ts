import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { decodeJson, jsonTypeName, parseJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import type { JsonArray } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { validateTolerations } from "../../../../validation/tolerations.js";

const schema = messageSchema("k8s.io.api.core.v1.Toleration");

/** Validates the annotation with tolerations as JSON, which is older than the member. */
export function validateTolerationsAnnotation(text: string, key: string, path: FieldPath, errors: FieldErrors): void {
  try {
    validateTolerations(readTolerations(text), path.child(key), errors);
  } catch (error) {
    if (!(error instanceof DecodeError)) {
      throw error;
    }
    errors.invalid(path, key, error.message);
  }
}

function readTolerations(text: string): JsonArray {
  const { value } = parseJson(text);
  if (value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw new DecodeError(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type []core.Toleration`);
  }
  return value.map((item) => decodeJson(schema, item ?? {}).object);
}
