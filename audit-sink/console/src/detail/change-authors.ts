import { textOf } from "../events/target.js";
import type { AuditEvent } from "../sink/types.js";
import { isRecord, type JsonPath, memberOf, parsePointer } from "./json-path.js";
import type { WebhookPatch } from "./patch-diff.js";

/** Returns who changed a field: the hook whose patch touched it, or else the field manager that owns it since. */
export function authorOf(path: JsonPath, event: AuditEvent, patches: readonly WebhookPatch[]): string {
  const hook = patches.findLast(({ changes }) => changes.some((change) => touches(parsePointer(change.path), path)));
  return hook?.webhook ?? ownerOf(path, event.responseObject) ?? managerOf(event);
}

/** Returns the name by which the client of a request writes: as it says in the URL, or the beginning of its user agent. */
export function managerOf({ requestURI, userAgent }: AuditEvent): string {
  const manager = new URLSearchParams(textOf(requestURI).split("?")[1] ?? "").get("fieldManager");
  return manager ?? textOf(userAgent).split("/")[0] ?? "";
}

/** Returns whether one place lies in the other. The `-` of a pointer is any place of a list. */
function touches(pointer: readonly string[], path: JsonPath): boolean {
  const common = Math.min(pointer.length, path.length);
  return pointer.slice(0, common).every((key, at) => key === "-" || key === String(path[at]));
}

/** Returns the manager of a field that wrote last, as `metadata.managedFields` has it. */
function ownerOf(path: JsonPath, object: unknown): string | undefined {
  const entries = memberOf(memberOf(object, "metadata"), "managedFields");
  const owners = (Array.isArray(entries) ? entries : [])
    .filter((entry: unknown) => owns(memberOf(entry, "fieldsV1"), path, object))
    .map((entry: unknown) => ({ manager: textOf(memberOf(entry, "manager")), time: textOf(memberOf(entry, "time")) }));
  return owners.sort((a, b) => (a.time < b.time ? 1 : -1))[0]?.manager;
}

/** Follows a path through a field set: `f:name` for members, `k:{...}` for list items by their keys, `v:` for values. */
function owns(fields: unknown, path: JsonPath, object: unknown): boolean {
  let at = fields;
  let value = object;
  for (const [depth, key] of path.entries()) {
    if (!isRecord(at)) {
      return false;
    }
    const item = memberOf(value, key);
    const next = typeof key === "number" ? itemFields(at, item) : memberOf(at, `f:${key}`);
    if (next === undefined) {
      // A field that is owned as a whole has no entries for its parts.
      return depth > 0 && Object.keys(at).length === 0;
    }
    at = next;
    value = item;
  }
  return true;
}

function itemFields(fields: Readonly<Record<string, unknown>>, item: unknown): unknown {
  const name = Object.keys(fields).find((each) => {
    if (each.startsWith("k:")) {
      const keys = parseJson(each.slice(2));
      return isRecord(keys) && Object.entries(keys).every(([key, value]) => memberOf(item, key) === value);
    }
    return each.startsWith("v:") && each.slice(2) === JSON.stringify(item);
  });
  return name === undefined ? undefined : fields[name];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
