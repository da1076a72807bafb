import { parseFieldSelector } from "@gatehouse/envelopes/selectors";
import type { RequestInfo } from "../request/request-info.js";

/** Fields by resource for which watchers of one value are found without asking all of them. */
const indexedFields: ReadonlyMap<string, string> = new Map([["pods", "spec.nodeName"]]);

const readVerbs = new Set(["get", "list", "watch", "proxy"]);

/** Counts open watches by what they show: a resource, one of its namespaces, or one object. */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a watch until the function returned is called. */
  add(info: RequestInfo, query: URLSearchParams): () => void {
    if (isIndexed(info, query)) {
      return () => {};
    }
    const key = keyOf(info, info.namespace, info.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let counted = true;
    return () => {
      const left = (this.#counts.get(key) ?? 0) - (counted ? 1 : 0);
      counted = false;
      if (left > 0) {
        this.#counts.set(key, left);
      } else {
        this.#counts.delete(key);
      }
    };
  }

  /** Returns the number of watches that a request may concern; 0 for one that only reads. */
  interestedIn(info: RequestInfo): number {
    if (this.#counts.size === 0 || readVerbs.has(info.verb)) {
      return 0;
    }
    const { namespace, name } = info;
    const ofNamespace = namespace === "" ? 0 : this.#count(info, namespace, "");
    return this.#count(info, "", "") + ofNamespace + (name === "" ? 0 : this.#count(info, namespace, name));
  }

  #count(info: RequestInfo, namespace: string, name: string): number {
    return this.#counts.get(keyOf(info, namespace, name)) ?? 0;
  }
}

function keyOf({ group, resource }: RequestInfo, namespace: string, name: string): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/** Reports whether a watch is for one value of the indexed field: few writes concern it. */
function isIndexed({ resource }: RequestInfo, query: URLSearchParams): boolean {
  const field = indexedFields.get(resource);
  const text = query.get("fieldSelector") ?? "";
  if (field === undefined || text === "") {
    return false;
  }
  try {
    const value = parseFieldSelector(text).exactValue(field);
    return value !== undefined && value !== "";
  } catch {
    return false;
  }
}
