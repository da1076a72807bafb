import { type FieldErrors, type FieldPath, validateFormat } from "@gatehouse/apiserver/validation";
import { toLower } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** Validates the name of a provisioner: a qualified name in upper or lower case. */
export function validateProvisioner(name: string, path: FieldPath, errors: FieldErrors): void {
  if (name === "") {
    errors.required(path);
    return;
  }
  validateFormat(toLower(name), validateQualifiedName, path, errors);
}

/** Validates the parameters of a provisioner: their number, their size in all, and that each has a name. */
export function validateParameters(parameters: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const keys = Object.keys(parameters);
  if (keys.length > maxParameters) {
    errors.tooLong(path, maxParameters);
    return;
  }
  if (keys.includes("")) {
    errors.invalid(path, "", "field can not be empty.");
  }
  const bytes = keys.reduce(
    (sum, key) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(parameters[key] ?? "")),
    0,
  );
  if (bytes > maxParameterBytes) {
    errors.tooLong(path, maxParameterBytes);
  }
}
