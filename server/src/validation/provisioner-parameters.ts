import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { checkFormat } from "@gatehouse/apiserver/validation";
import { checkQualifiedName, type JsonObject } from "@gatehouse/envelopes";

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** Who provisions volumes: a qualified name whose case does not matter. */
export function checkProvisioner(name: string, path: FieldPath, errors: FieldErrors): void {
  if (name === "") {
    errors.required(path);
    return;
  }
  checkFormat(name.toLowerCase(), checkQualifiedName, path, errors);
}

/** What a provisioner is told: not too many parameters, not too long in all, each with a name. */
export function checkParameters(parameters: JsonObject, path: FieldPath, errors: FieldErrors): void {
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
