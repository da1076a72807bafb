import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  validateFormat,
  validateQualifiedText,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { goTexts, listAsSent } from "@gatehouse/envelopes/go";
import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  textAt,
  textsAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { validateDns1035Label, validateDns1123Subdomain, validateSubdomainName } from "@gatehouse/envelopes/validation";
import { apiVersionProblems } from "./api-version.js";

const status = FieldPath.of("status");

/** Rules of StorageVersion, all of them about the status: the spec has no members. */
export const storageVersionValidation: KindValidation = {
  create: validateStatus,
  update: () => undefined,
  subresources: { status: (version, _old, errors) => validateStatus(version, errors) },
};

/** Returns the problems of a name, which must be `<group>.<resource>`. */
export function validateStorageVersionName(name: string): string[] {
  const dot = name.lastIndexOf(".");
  if (dot < 0) {
    return ["name must be in the form of <group>.<resource>"];
  }
  return [
    ...validateDns1123Subdomain(name.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...validateDns1035Label(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
}

function validateStatus(version: JsonObject, errors: FieldErrors): void {
  const servers = listAt(version, "status", "storageVersions");
  const ids = new Set<string>();
  for (const [index, server] of servers.entries()) {
    if (errors.isFull) {
      return;
    }
    const path = status.child("storageVersions").index(index);
    const id = textAt(server, "apiServerID");
    if (ids.has(id)) {
      errors.duplicate(path.child("apiServerID"), id);
    }
    ids.add(id);
    validateServer(server, path, errors);
  }
  validateCommonVersion(servers, valueAt(version, "status", "commonEncodingVersion"), errors);
  validateConditions(listAt(version, "status", "conditions"), errors);
}

function validateServer(server: JsonValue, path: FieldPath, errors: FieldErrors): void {
  validateFormat(textAt(server, "apiServerID"), validateSubdomainName, path.child("apiServerID"), errors);
  const encoding = textAt(server, "encodingVersion");
  validateApiVersion(encoding, path.child("encodingVersion"), errors);
  const decodable = textsAt(server, "decodableVersions");
  for (const [index, version] of decodable.entries()) {
    if (errors.isFull) {
      return;
    }
    validateApiVersion(version, path.child("decodableVersions").index(index), errors);
  }
  const known = new Set(decodable);
  if (!known.has(encoding)) {
    const shown = goTexts("string", listAsSent(isJsonObject(server) ? server : {}, "decodableVersions"));
    const detail = `decodableVersions must include encodingVersion ${encoding}`;
    errors.invalidShown(path.child("decodableVersions"), shown, detail);
  }
  for (const [index, version] of textsAt(server, "servedVersions").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("servedVersions").index(index);
    validateApiVersion(version, at, errors);
    if (!known.has(version)) {
      const all = `[${decodable.join(" ")}]`;
      const detail = `individual served version : ${version} must be included in decodableVersions : ${all}`;
      errors.invalid(at, version, detail);
    }
  }
}

function validateApiVersion(version: string, path: FieldPath, errors: FieldErrors): void {
  const problems = apiVersionProblems(version);
  if (problems.length > 0) {
    errors.invalid(path, version, problems.join(","));
  }
}

/** Validates the common version, which is set if all servers agree on one. */
function validateCommonVersion(servers: JsonArray, common: JsonValue | undefined, errors: FieldErrors): void {
  const path = status.child("commonEncodingVersion");
  const encodings = new Set(servers.map((server) => textAt(server, "encodingVersion")));
  const [agreed] = encodings.size === 1 ? encodings : [];
  const isClaimed = common !== undefined && common !== null;
  if (agreed === undefined && isClaimed) {
    const detail =
      "should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet";
    errors.invalid(path, common, detail);
  } else if (agreed !== undefined && !isClaimed) {
    errors.invalid(path, null, `the common encoding version is ${agreed}`);
  } else if (agreed !== undefined && agreed !== common) {
    errors.invalid(path, common, `the actual common encoding version is ${agreed}`);
  }
}

/** Validates the conditions. v1.29 leaves the name of the list out of their paths. */
function validateConditions(conditions: JsonArray, errors: FieldErrors): void {
  const indices = new Map<string, number>();
  for (const [index, condition] of conditions.entries()) {
    if (errors.isFull) {
      return;
    }
    const path = status.index(index);
    const type = textAt(condition, "type");
    const before = indices.get(type);
    if (before !== undefined) {
      const detail = `the type of the condition is not unique, it also appears in conditions[${before}]`;
      errors.invalid(path.child("type"), type, detail);
    }
    indices.set(type, index);
    validateQualifiedText(type, path.child("type"), errors);
    validateQualifiedText(textAt(condition, "status"), path.child("status"), errors);
    for (const name of ["reason", "message"]) {
      validateRequiredText(textAt(condition, name), path.child(name), errors, `${name} cannot be empty`);
    }
  }
}
