import type { AdmissionAttributes } from "../attributes.js";

/** Results that depend on the sort of a write (operation, resource, subresource, scope) and on nothing else of it. */
export class PerSortOfWrite<T> {
  #basis: readonly unknown[] = [];
  #results = new Map<string, T>();

  /**
   * Returns the result for the sort of a write, which is computed once. `basis`: whatever else it is computed from;
   * when one of these is another than the last time, all results are forgotten.
   */
  get(attributes: AdmissionAttributes, basis: readonly unknown[], compute: () => T): T {
    if (!isSame(basis, this.#basis)) {
      this.#basis = basis;
      this.#results = new Map();
    }
    const { operation, resource, subresource, namespace } = attributes;
    const scope = namespace === "" ? "c" : "n";
    const sort = `${operation}/${resource.group}/${resource.version}/${resource.resource}/${subresource}/${scope}`;
    let result = this.#results.get(sort);
    if (result === undefined) {
      result = compute();
      this.#results.set(sort, result);
    }
    return result;
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
