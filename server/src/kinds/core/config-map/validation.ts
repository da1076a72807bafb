import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import { dataBytes, dataKeyErrors, immutableDataErrors, maxDataBytes } from "../config-data.js";

/** Rules of ConfigMap; an immutable one does not change. */
export const configMapValidation: KindValidation = {
  create: (configMap, errors) => errors.add(validateConfigMap(configMap)),
  update(configMap, old, errors) {
    errors.recheckMetadata("change");
    errors.add(immutableDataErrors(configMap, old, ["data", "binaryData"]));
    errors.recheckMetadata("object");
    errors.add(validateConfigMap(configMap));
  },
};

/** Returns the errors of a ConfigMap: each key can be the name of a file, and has one value. */
function validateConfigMap(configMap: JsonObject): readonly FieldError[] {
  const bytes = dataBytes(configMap, "data", "utf8") + dataBytes(configMap, "binaryData", "base64");
  return [
    ...dataKeyErrors(configMap, "data", objectAt(configMap, "binaryData")),
    ...dataKeyErrors(configMap, "binaryData"),
    // The path is v1.29's for the object as a whole.
    ...(bytes > maxDataBytes ? [fieldError.tooLong("[]", maxDataBytes)] : []),
  ];
}
