import { isRecord, type JsonPath, type JsonRecord, memberOf } from "./json-path.js";

/** One field that differs between two objects. A value is undefined where the field is missing. */
export interface FieldChange {
  /** The field as people write it: `spec.containers[web].image`. */
  readonly field: string;
  /** Path of the field in the object afterwards, or before the change for a removed field. */
  readonly path: JsonPath;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that differ after every write, and say nothing of their own. */
const bookkeeping: ReadonlySet<string> = new Set([
  "metadata.managedFields",
  "metadata.resourceVersion",
  "metadata.generation",
]);

/** Members by which list items are told apart, the most telling first. */
const itemKeys = ["name", "key", "type", "ip", "mountPath", "containerPort", "port", "uid"];
/** Levels below which values are compared as a whole. */
const maxDepth = 40;

/** Returns the fields that differ, in the order of the object afterwards, without bookkeeping. */
export function diffObjects(before: unknown, after: unknown): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before, after, "", [], changes);
  return changes;
}

function compare(before: unknown, after: unknown, field: string, path: JsonPath, changes: FieldChange[]): void {
  if (bookkeeping.has(field) || before === after) {
    return;
  }
  if (path.length < maxDepth && isRecord(before) && isRecord(after)) {
    compareRecords(before, after, field, path, changes);
  } else if (
    path.length < maxDepth &&
    Array.isArray(before) &&
    Array.isArray(after) &&
    commonKey(before, after) !== undefined
  ) {
    compareLists(before, after, commonKey(before, after) as string, field, path, changes);
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    changes.push({ field, path, before, after });
  }
}

function compareRecords(
  before: JsonRecord,
  after: JsonRecord,
  field: string,
  path: JsonPath,
  changes: FieldChange[],
): void {
  for (const key of new Set([...Object.keys(after), ...Object.keys(before)])) {
    compare(memberOf(before, key), memberOf(after, key), fieldOf(field, key), [...path, key], changes);
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  key: string,
  field: string,
  path: JsonPath,
  changes: FieldChange[],
): void {
  const old = new Map(before.map((item, index) => [memberOf(item, key), index]));
  for (const [index, item] of after.entries()) {
    const name = memberOf(item, key);
    const place = old.get(name);
    old.delete(name);
    compare(
      place === undefined ? undefined : before[place],
      item,
      `${field}[${String(name)}]`,
      [...path, index],
      changes,
    );
  }
  for (const [name, index] of old) {
    compare(before[index], undefined, `${field}[${String(name)}]`, [...path, index], changes);
  }
}

/** Returns a member that tells the items of both lists apart; undefined when there is none. */
function commonKey(before: readonly unknown[], after: readonly unknown[]): string | undefined {
  return itemKeys.find((key) => isKeyOf(before, key) && isKeyOf(after, key));
}

function isKeyOf(items: readonly unknown[], key: string): boolean {
  const values = items.map((item) => (isRecord(item) ? memberOf(item, key) : undefined));
  const isNamed = values.every((value) => typeof value === "string" || typeof value === "number");
  return isNamed && new Set(values).size === values.length;
}

function fieldOf(parent: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) {
    return `${parent}[${JSON.stringify(key)}]`;
  }
  return parent === "" ? key : `${parent}.${key}`;
}
