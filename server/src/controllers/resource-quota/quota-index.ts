import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { objectAt } from "@gatehouse/envelopes/json";
import { evaluatorOfAmount } from "../../quota/evaluators.js";

/**
 * The index of quotas by the resources that they count. Most namespaces have none, so that nothing is counted there.
 */
export class QuotaIndex {
  /** Resources whose objects count, by namespace and name of the quota. */
  readonly #quotas = new Map<string, Map<string, ReadonlySet<string>>>();

  /** Takes a quota as it is now, and answers with the resources that it counts. */
  set(namespace: string, name: string, entry: CacheEntry): readonly { group: string; resource: string }[] {
    const resources = Object.keys(objectAt(entry.object(), "spec", "hard")).flatMap((hard) => {
      const resource = evaluatorOfAmount(hard)?.resource;
      return resource === undefined ? [] : [resource];
    });
    const quotas = this.#quotas.get(namespace) ?? new Map<string, ReadonlySet<string>>();
    quotas.set(name, new Set(resources.map(resourceKey)));
    this.#quotas.set(namespace, quotas);
    return resources;
  }

  delete(namespace: string, name: string): void {
    const quotas = this.#quotas.get(namespace);
    if (quotas?.delete(name) === true && quotas.size === 0) {
      this.#quotas.delete(namespace);
    }
  }

  /** Returns all quotas that count a resource, as `namespace/name`. */
  counting(resource: string): string[] {
    return [...this.#quotas.keys()].flatMap((namespace) =>
      this.of(namespace, resource).map((name) => `${namespace}/${name}`),
    );
  }

  /** Returns the quotas of a namespace that count a resource. */
  of(namespace: string, resource: string): string[] {
    const names: string[] = [];
    for (const [name, counted] of this.#quotas.get(namespace) ?? []) {
      if (counted.has(resource)) {
        names.push(name);
      }
    }
    return names;
  }
}

/** Returns a resource as one text, a key for maps. */
export function resourceKey({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return `${group}/${resource}`;
}
