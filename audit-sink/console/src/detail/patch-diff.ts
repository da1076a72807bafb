import { memberOf, parsePointer } from "./json-path.js";

/** The change that one operation of a JSON patch makes, in lines. */
export interface PatchChange {
  /** Place of the change, as a JSON pointer. */
  readonly path: string;
  /** Lines of the value before; none where there was no value, undefined where it is not known. */
  readonly removed: readonly string[] | undefined;
  /** Lines of the value afterwards. */
  readonly added: readonly string[];
}

/** The changes of one call of a webhook, as an annotation of the event tells them. */
export interface WebhookPatch {
  readonly round: string;
  readonly configuration: string;
  readonly webhook: string;
  readonly changes: readonly PatchChange[];
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

const annotationPrefix = "patch.webhook.admission.k8s.io/";

/**
 * Returns the patches in the annotations of an event, in the order of the calls. `sent` is the object as it was sent.
 * Defaults of the server are not in it, so a value before may be unknown.
 */
export function webhookPatches(annotations: Readonly<Record<string, unknown>>, sent: unknown): readonly WebhookPatch[] {
  const document = { root: structuredClone(sent) };
  return Object.keys(annotations)
    .filter((name) => name.startsWith(annotationPrefix))
    .sort(new Intl.Collator("en", { numeric: true }).compare)
    .flatMap((name) => {
      const told = parseTold(annotations[name]);
      return told === undefined
        ? []
        : [
            {
              round: name.slice(annotationPrefix.length),
              configuration: told.configuration,
              webhook: told.webhook,
              changes: told.patch.map((operation) => changeOf(operation, document)),
            },
          ];
    });
}

function parseTold(text: unknown) {
  try {
    const { configuration, webhook, patch } = JSON.parse(String(text)) as Record<string, unknown>;
    if (!Array.isArray(patch) || !patch.every(isOperation)) {
      return undefined;
    }
    return { configuration: String(configuration), webhook: String(webhook), patch };
  } catch {
    return undefined;
  }
}

function isOperation(value: unknown): value is Operation {
  const { op, path } = (value ?? {}) as Record<string, unknown>;
  return typeof op === "string" && typeof path === "string";
}

/** Describes the change of an operation, and makes it in the document as far as the document holds the place. */
function changeOf({ op, path, from, value }: Operation, document: { root: unknown }): PatchChange {
  const place = findPlace(document, path);
  const before = place?.get();
  const known = place !== undefined;
  const isInsertion = op === "add" && place?.isList === true;
  const removed = !known ? undefined : before === undefined || isInsertion || op === "test" ? [] : linesOf(before);
  const source = from === undefined ? undefined : findPlace(document, from);
  const after = op === "copy" || op === "move" ? source?.get() : value;
  if (op === "move") {
    source?.remove();
  }
  if (op === "remove") {
    place?.remove();
  } else if (op !== "test") {
    place?.put(after, isInsertion);
  }
  const added =
    op === "remove" || op === "test" ? [] : after === undefined ? [`(${op} from ${from ?? ""})`] : linesOf(after);
  return { path, removed: op === "test" ? [] : removed, added };
}

function linesOf(value: unknown): readonly string[] {
  return (JSON.stringify(value, null, 2) ?? "").split("\n");
}

interface Place {
  readonly isList: boolean;
  get(): unknown;
  put(value: unknown, insert: boolean): void;
  remove(): void;
}

/** Finds a place; undefined when the document does not hold its parent. */
function findPlace(document: { root: unknown }, path: string): Place | undefined {
  const keys = [...parsePointer(path)];
  const last = keys.pop();
  if (last === undefined) {
    return {
      isList: false,
      get: () => document.root,
      put: (value) => {
        document.root = value;
      },
      remove: () => {
        document.root = undefined;
      },
    };
  }
  let parent: unknown = document.root;
  for (const key of keys) {
    parent = memberOf(parent, key);
  }
  if (Array.isArray(parent)) {
    const list: unknown[] = parent;
    const index = last === "-" ? list.length : Number(last);
    return {
      isList: true,
      get: () => list[index],
      put: (value, insert) => void list.splice(index, insert ? 0 : 1, value),
      remove: () => void list.splice(index, 1),
    };
  }
  if (typeof parent !== "object" || parent === null) {
    return undefined;
  }
  const object = parent as Record<string, unknown>;
  return {
    isList: false,
    get: () => (Object.hasOwn(object, last) ? object[last] : undefined),
    // Not by assignment: `__proto__` is a member like any other.
    put: (value) =>
      void Object.defineProperty(object, last, { value, enumerable: true, configurable: true, writable: true }),
    remove: () => void Reflect.deleteProperty(object, last),
  };
}
