import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";

/** The most objects whose last state is remembered; the one that was written the longest ago is forgotten. */
const maxObjects = 50_000;

/** The last states of objects that events have shown, and the namespaces. */
export class KnownObjects {
  readonly #objects = new Map<string, JsonObject>();
  readonly #namespaces = new Map<string, JsonObject>();
  #namespaceList: readonly JsonObject[] | undefined;

  constructor(objects: readonly JsonObject[]) {
    for (const object of objects.filter(isNamespace)) {
      this.#namespaces.set(textAt(object, "metadata", "name"), object);
    }
  }

  /** The namespaces that are known with their labels. */
  get namespaces(): readonly JsonObject[] {
    this.#namespaceList ??= [...this.#namespaces.values()];
    return this.#namespaceList;
  }

  hasNamespace(name: string): boolean {
    return this.#namespaces.has(name);
  }

  /** Returns the object that a request was about, as the last event before it has shown it. */
  before({ objectRef }: auditV1.Event): JsonObject | undefined {
    return objectRef && this.#objects.get(keyOf(objectRef, objectRef.name ?? ""));
  }

  /** Remembers what a write has left. `object`: undefined for a deletion, or where the event does not show it. */
  note({ objectRef }: auditV1.Event, object: JsonObject | undefined): void {
    if (objectRef === undefined || (objectRef.subresource ?? "") !== "") {
      return;
    }
    const name = objectRef.name || (object === undefined ? "" : textAt(object, "metadata", "name"));
    const key = keyOf(objectRef, name);
    this.#objects.delete(key);
    if (object !== undefined) {
      this.#objects.set(key, object);
    }
    if (this.#objects.size > maxObjects) {
      this.#objects.delete(this.#objects.keys().next().value ?? "");
    }
    if (objectRef.resource === "namespaces" && object !== undefined && isNamespace(object)) {
      this.#namespaces.set(name, object);
      this.#namespaceList = undefined;
    }
  }
}

/** Versions of one resource are told apart, since objects are not converted. */
function keyOf({ apiGroup, apiVersion, resource, namespace }: auditV1.ObjectReference, name: string): string {
  return `${apiGroup ?? ""}/${apiVersion ?? ""}/${resource ?? ""}/${namespace ?? ""}/${name}`;
}

function isNamespace({ apiVersion, kind }: JsonObject): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}
