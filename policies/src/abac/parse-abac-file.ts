import { parseJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { AbacFile, AbacPolicy, AbacProblem } from "./abac-policy.js";

const group = "abac.authorization.kubernetes.io";
const allAuthenticated = "system:authenticated";
/** The limit of a line in characters, as in v1.29. */
const maxLineBytes = 64 * 1024;

/** Reads a policy file: a JSON object on each line, empty lines and those that begin with `#` left out. */
export function parseAbacFile(text: string): AbacFile {
  const policies: AbacPolicy[] = [];
  const problems: AbacProblem[] = [];
  let unversionedLines = 0;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) {
      continue;
    }
    try {
      const { policy, isVersioned } = parseLine(line);
      policies.push({ line: index + 1, ...policy });
      unversionedLines += isVersioned ? 0 : 1;
    } catch (error) {
      if (!(error instanceof LineError || error instanceof DecodeError)) {
        throw error;
      }
      problems.push({ line: index + 1, problem: error.message });
    }
  }
  return { policies, problems, unversionedLines };
}

class LineError extends Error {
  override readonly name = "LineError";
}

/** The contents of a line without its number. */
type LineContent = Omit<AbacPolicy, "line">;

function parseLine(line: string): { readonly policy: LineContent; readonly isVersioned: boolean } {
  if (line.length > maxLineBytes) {
    throw new LineError(`must have at most ${maxLineBytes} characters`);
  }
  const { value } = parseJson(line);
  if (!isJsonObject(value)) {
    throw new LineError("must be a JSON object");
  }
  const [apiVersion, kind] = [text(value, "apiVersion"), text(value, "kind")];
  if (apiVersion === "" || kind === "") {
    return { policy: oldestPolicy(value), isVersioned: false };
  }
  if (kind === "Policy" && apiVersion === `${group}/v1beta1`) {
    return { policy: policyOf(value), isVersioned: true };
  }
  if (kind === "Policy" && apiVersion === `${group}/v0`) {
    return { policy: oldestPolicy(value), isVersioned: true };
  }
  throw new LineError(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}: expected "Policy" of "${group}/v1beta1"`,
  );
}

function policyOf(line: JsonObject): LineContent {
  const spec = line["spec"] ?? {};
  if (!isJsonObject(spec)) {
    throw new LineError("spec must be an object");
  }
  return forAll({
    user: text(spec, "user"),
    group: text(spec, "group"),
    readonly: flag(spec, "readonly"),
    apiGroup: text(spec, "apiGroup"),
    resource: text(spec, "resource"),
    namespace: text(spec, "namespace"),
    nonResourcePath: text(spec, "nonResourcePath"),
  });
}

/** Reads a line in the oldest form, in which a missing member means everything. */
function oldestPolicy(line: JsonObject): LineContent {
  const [user, group] = [text(line, "user"), text(line, "group")];
  const [namespace, resource] = [text(line, "namespace"), text(line, "resource")];
  return forAll({
    user,
    group: user === "" && group === "" ? allAuthenticated : group,
    readonly: flag(line, "readonly"),
    apiGroup: "*",
    resource: resource === "" ? "*" : resource,
    namespace: namespace === "" ? "*" : namespace,
    nonResourcePath: namespace === "" && resource === "" ? "*" : "",
  });
}

/** Replaces a star for a user or group by the group of all authenticated users. */
function forAll(policy: LineContent): LineContent {
  return policy.user === "*" || policy.group === "*" ? { ...policy, user: "", group: allAuthenticated } : policy;
}

function text(object: JsonObject, name: string): string {
  const value = member(object, name);
  if (value !== undefined && typeof value !== "string") {
    throw new LineError(`${name} must be a string`);
  }
  return value ?? "";
}

function flag(object: JsonObject, name: string): boolean {
  const value = member(object, name);
  if (value !== undefined && typeof value !== "boolean") {
    throw new LineError(`${name} must be true or false`);
  }
  return value ?? false;
}

function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}
