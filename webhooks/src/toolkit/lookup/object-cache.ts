import type { WatchEvent } from "@gatehouse/component-base/cluster";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";

/** The objects of one resource, as of the last event. */
export class ObjectCache {
  #objects = new Map<string, JsonObject>();
  #isComplete = false;

  /** True once all objects have arrived. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get(namespace: string, name: string): JsonObject | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /** Returns the objects of a namespace, or all, in the order of namespaces and names. */
  list(namespace: string | undefined): readonly JsonObject[] {
    const keys = [...this.#objects.keys()].filter((key) => namespace === undefined || key.startsWith(`${namespace}/`));
    return keys.sort().map((key) => this.#objects.get(key) as JsonObject);
  }

  /** Begins to replace the objects by those of a new list; until `finish`, the old ones are read. */
  beginReplacing(): { add(object: JsonObject): void; finish(): void } {
    const objects = new Map<string, JsonObject>();
    return {
      add: (object) => objects.set(keyOf(object), object),
      finish: () => {
        this.#objects = objects;
        this.#isComplete = true;
      },
    };
  }

  /** Applies a change; returns its resource version. Throws StatusError when the watch has failed. */
  apply({ type, object }: WatchEvent): string | undefined {
    const { metadata } = object;
    switch (type) {
      case "ADDED":
      case "MODIFIED":
        this.#objects.set(keyOf(object), object);
        break;
      case "DELETED":
        this.#objects.delete(keyOf(object));
        break;
      case "ERROR":
        throw new StatusError(
          Number(object["code"] ?? 500),
          String(object["reason"] ?? ""),
          String(object["message"] ?? ""),
        );
    }
    return isJsonObject(metadata) ? String(metadata["resourceVersion"]) : undefined;
  }
}

function keyOf({ metadata }: JsonObject): string {
  const { namespace = "", name = "" } = isJsonObject(metadata) ? metadata : {};
  return `${String(namespace)}/${String(name)}`;
}
