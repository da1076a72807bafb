import type { ServedResource } from "./served-resource.js";

/** Every resource that is served, by group version and name. Built at start and whenever what is served changes. */
export class ResourceTable {
  readonly #byGroupVersion = new Map<string, Map<string, ServedResource>>();

  constructor(resources: Iterable<ServedResource>) {
    for (const served of resources) {
      let group = this.#byGroupVersion.get(served.apiVersion);
      if (group === undefined) {
        group = new Map();
        this.#byGroupVersion.set(served.apiVersion, group);
      }
      group.set(served.resource, served);
    }
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#byGroupVersion.get(group === "" ? version : `${group}/${version}`)?.get(resource);
  }

  servesGroupVersion(group: string, version: string): boolean {
    return this.#byGroupVersion.has(group === "" ? version : `${group}/${version}`);
  }

  /** Any served version of a resource: for those who care about what is stored, not how it is shown. */
  findAnyVersion(group: string, resource: string): ServedResource | undefined {
    return [...this.all()].find((served) => served.group === group && served.resource === resource);
  }

  *all(): IterableIterator<ServedResource> {
    for (const group of this.#byGroupVersion.values()) {
      yield* group.values();
    }
  }
}
