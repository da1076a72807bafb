import { type FieldError, fieldError, type JsonObject } from "@gatehouse/envelopes";
import { objectAt } from "../../../objects/json-fields.js";
import { dataBytes, dataKeyErrors, immutableDataErrors, maxDataBytes } from "../config-data.js";

/** Each key can be the name of a file, and stands for one value. */
export function validateConfigMap(configMap: JsonObject): readonly FieldError[] {
  const bytes = dataBytes(configMap, "data", "utf8") + dataBytes(configMap, "binaryData", "base64");
  return [
    ...dataKeyErrors(configMap, "data", objectAt(configMap, "binaryData")),
    ...dataKeyErrors(configMap, "binaryData"),
    // The path is v1.29's for the object as a whole.
    ...(bytes > maxDataBytes ? [fieldError.tooLong("[]", maxDataBytes)] : []),
  ];
}

/** An immutable one stays as it is. */
export function validateConfigMapUpdate(configMap: JsonObject, old: JsonObject): readonly FieldError[] {
  return immutableDataErrors(configMap, old, ["data", "binaryData"]);
}
