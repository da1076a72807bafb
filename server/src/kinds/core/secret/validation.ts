import type { KindValidation } from "@gatehouse/apiserver/registry";
import { jsonTypeName } from "@gatehouse/envelopes/codec";
import { isSameState, readGoJson } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import { dataBytes, dataKeyErrors, immutableDataErrors, maxDataBytes } from "../config-data.js";

/** Rules of Secret; an immutable one does not change. */
export const secretValidation: KindValidation = {
  create: (secret, errors) => errors.add(validateSecret(secret)),
  update(secret, old, errors) {
    errors.recheckMetadata("change");
    errors.add(validateSecretUpdate(secret, old));
    errors.recheckMetadata("object");
    errors.add(validateSecret(secret));
  },
};

/** Returns the errors of a secret: each key can be the name of a file, and a known type has the data it needs. */
function validateSecret(secret: JsonObject): readonly FieldError[] {
  return [
    ...dataKeyErrors(secret, "data"),
    ...(dataBytes(secret, "data", "base64") > maxDataBytes ? [fieldError.tooLong("data", maxDataBytes)] : []),
    ...typeErrors(secret),
  ];
}

/** Returns the errors of an update: the type does not change, nor does an immutable secret. */
function validateSecretUpdate(secret: JsonObject, old: JsonObject): readonly FieldError[] {
  const type = textAt(secret, "type");
  return [
    ...(isSameState(type, textAt(old, "type")) ? [] : [fieldError.invalid("type", type, "field is immutable")]),
    ...immutableDataErrors(secret, old, ["data"]),
  ];
}

const serviceAccountName = "kubernetes.io/service-account.name";

function typeErrors(secret: JsonObject): readonly FieldError[] {
  const data = objectAt(secret, "data");
  const missing = (...keys: string[]): readonly FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => fieldError.required(`data[${key}]`));
  switch (textAt(secret, "type")) {
    case "kubernetes.io/service-account-token":
      return textAt(secret, "metadata", "annotations", serviceAccountName) === ""
        ? [fieldError.required(`metadata.annotations[${serviceAccountName}]`)]
        : [];
    case "kubernetes.io/dockercfg":
      return dockerConfigErrors(data, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return dockerConfigErrors(data, ".dockerconfigjson");
    case "kubernetes.io/basic-auth": {
      const errors = missing("username", "password");
      return errors.length === 2 ? errors : [];
    }
    case "kubernetes.io/ssh-auth":
      return textAt(data, "ssh-privatekey") === "" ? [fieldError.required("data[ssh-privatekey]")] : [];
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

function dockerConfigErrors(data: JsonObject, key: string): readonly FieldError[] {
  const field = `data[${key}]`;
  if (!Object.hasOwn(data, key)) {
    return [fieldError.required(field)];
  }
  const problem = jsonObjectProblem(Buffer.from(textAt(data, key), "base64"));
  return problem === undefined ? [] : [fieldError.invalid(field, "<secret contents redacted>", problem)];
}

/** Returns the message of Go's decoder for bytes that are not a JSON object; undefined if they are. */
function jsonObjectProblem(bytes: Buffer): string | undefined {
  const json = readGoJson(bytes);
  if ("problem" in json) {
    return json.problem;
  }
  return json.value === null || isJsonObject(json.value)
    ? undefined
    : `json: cannot unmarshal ${jsonTypeName(json.value)} into Go value of type map[string]interface {}`;
}
