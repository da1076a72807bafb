import { goQuote } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** Explains why an operation of a JSON patch does not apply to a document, in the words of v1.29's patch library. */
export function patchFailure(document: JsonValue, operation: JsonObject): string {
  const { op } = operation;
  switch (op) {
    case "add":
      return destinationProblem(document, operation, "add") ?? invalid;
    case "remove":
      return removalProblem(document, textOf(operation, "path"), "remove") ?? invalid;
    case "replace":
      return replacementProblem(document, textOf(operation, "path"));
    case "move":
      return sourceProblem(document, operation, "move") ?? destinationProblem(document, operation, "move") ?? invalid;
    case "copy":
      return sourceProblem(document, operation, "copy") ?? destinationProblem(document, operation, "copy") ?? invalid;
    case "test":
      return testProblem(document, textOf(operation, "path"));
    default:
      return `Unexpected kind: ${typeof op === "string" ? op : "unknown"}`;
  }
}

const invalid = "invalid state detected";
const missing = "missing value";
const outOfRange = (index: number) => `Unable to access invalid index: ${index}: invalid index referenced`;

type Container = JsonValue[] | JsonObject;

function textOf(operation: JsonObject, member: string): string | undefined {
  const value = operation[member];
  return typeof value === "string" ? value : undefined;
}

/** Finds the list or object that holds the last step of a path; undefined when there is none. */
function locate(
  document: JsonValue,
  path: string,
): { readonly container: Container; readonly key: string } | undefined {
  const steps = path.split("/").slice(1).map(unescaped);
  const key = steps.pop();
  let value: JsonValue | undefined = document;
  for (const step of steps) {
    value = Array.isArray(value) ? itemAt(value, step) : isJsonObject(value) ? value[step] : undefined;
  }
  return key === undefined || !(Array.isArray(value) || isJsonObject(value)) ? undefined : { container: value, key };
}

function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function itemAt(list: JsonValue[], step: string): JsonValue | undefined {
  const index = indexOf(step);
  return index === undefined ? undefined : list.at(index);
}

function indexOf(key: string): number | undefined {
  return /^[+-]?\d+$/.test(key) ? Number(key) : undefined;
}

function indexProblem(key: string, length: number): string | undefined {
  const index = indexOf(key);
  if (index === undefined) {
    return `strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`;
  }
  return index >= length || index < -length ? outOfRange(index) : undefined;
}

function destinationProblem(
  document: JsonValue,
  operation: JsonObject,
  op: "add" | "move" | "copy",
): string | undefined {
  const path = textOf(operation, "path");
  if (path === undefined) {
    const cause = op === "add" ? missing : `operation missing path field: ${missing}`;
    return `${op} operation failed to decode path: ${cause}`;
  }
  const place = locate(document, path);
  if (place === undefined) {
    return op === "add"
      ? `add operation does not apply: doc is missing path: ${goQuote(path)}: ${missing}`
      : `${op} operation does not apply: doc is missing destination path: ${path}: ${missing}`;
  }
  if (!Array.isArray(place.container) || place.key === "-") {
    return undefined;
  }
  const problem = indexProblem(place.key, place.container.length + 1);
  if (problem === undefined) {
    return undefined;
  }
  const told = problem.startsWith("strconv")
    ? `value was not a proper array index: '${place.key}': ${problem}`
    : problem;
  const where = op === "copy" ? "error while adding value during copy" : `error in ${op} for path: '${path}'`;
  return `${where}: ${told}`;
}

function removalProblem(document: JsonValue, path: string | undefined, op: "remove" | "move"): string | undefined {
  if (path === undefined) {
    return `remove operation failed to decode path: ${missing}`;
  }
  const place = locate(document, path);
  if (place === undefined) {
    return `remove operation does not apply: doc is missing path: ${goQuote(path)}: ${missing}`;
  }
  const { container, key } = place;
  const problem = Array.isArray(container)
    ? indexProblem(key, container.length)
    : Object.hasOwn(container, key)
      ? undefined
      : `Unable to remove nonexistent key: ${key}: ${missing}`;
  return problem === undefined ? undefined : `error in ${op} for path: '${op === "move" ? key : path}': ${problem}`;
}

function replacementProblem(document: JsonValue, path: string | undefined): string {
  if (path === undefined) {
    return `replace operation failed to decode path: operation missing path field: ${missing}`;
  }
  const place = locate(document, path);
  return place === undefined
    ? `replace operation does not apply: doc is missing path: ${path}: ${missing}`
    : `replace operation does not apply: doc is missing key: ${path}: ${missing}`;
}

function sourceProblem(document: JsonValue, operation: JsonObject, op: "move" | "copy"): string | undefined {
  const from = textOf(operation, "from");
  if (from === undefined) {
    return `${op} operation failed to decode from: operation, missing from field: ${missing}`;
  }
  const place = locate(document, from);
  if (place === undefined) {
    return `${op} operation does not apply: doc is missing from path: ${from}: ${missing}`;
  }
  if (op === "move") {
    return removalProblem(document, from, "move");
  }
  const problem = Array.isArray(place.container) ? indexProblem(place.key, place.container.length) : undefined;
  return problem === undefined ? undefined : `error in copy for from: '${from}': ${problem}`;
}

function testProblem(document: JsonValue, path: string | undefined): string {
  if (path === undefined) {
    return `test operation failed to decode path: operation missing path field: ${missing}`;
  }
  if (path === "") {
    return `testing value  failed: test failed`;
  }
  const place = locate(document, path);
  if (place === undefined) {
    return `test operation does not apply: is missing path: ${path}: ${missing}`;
  }
  const problem = Array.isArray(place.container) ? indexProblem(place.key, place.container.length) : undefined;
  return problem === undefined
    ? `testing value ${path} failed: test failed`
    : `error in test for path: '${path}': ${problem}`;
}
