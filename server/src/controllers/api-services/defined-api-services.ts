import type { ObjectObserver, ObservedObject } from "@gatehouse/apiserver/client";
import { definitionSummary } from "@gatehouse/custom-resources/resources";

/** The callbacks of a DefinedApiServices. */
export interface DefinedApiServicesOptions {
  /** Called with the name of an API service that is now defined, or no longer. Must not throw. */
  readonly onChange: (name: string) => void;
  readonly onError: (error: unknown) => void;
}

/** The API services that definitions of custom resources need: one for each group version that serves something. */
export class DefinedApiServices {
  readonly #options: DefinedApiServicesOptions;
  readonly #byDefinition = new Map<string, readonly string[]>();
  /** Number of definitions that need an API service, by its name. */
  readonly #uses = new Map<string, number>();

  constructor(options: DefinedApiServicesOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return this.#uses.has(name);
  }

  /** Returns the observer of the definitions. */
  observer(): ObjectObserver {
    let listed = new Set<string>();
    return {
      onList: (objects) => {
        for (const object of objects) {
          listed.add(object.name);
          this.#take(object);
        }
      },
      onEvent: (event) => (event.type === "DELETED" ? this.#replace(event.name, []) : this.#take(event)),
      onMissed: () => {
        for (const definition of [...this.#byDefinition.keys()].filter((name) => !listed.has(name))) {
          this.#replace(definition, []);
        }
        listed = new Set();
      },
      onError: this.#options.onError,
    };
  }

  #take({ name, entry }: ObservedObject): void {
    const { group, servedVersions } = definitionSummary(entry);
    this.#replace(
      name,
      servedVersions.map((version) => `${version}.${group}`),
    );
  }

  #replace(definition: string, next: readonly string[]): void {
    const previous = this.#byDefinition.get(definition) ?? [];
    if (previous.length === next.length && previous.every((name, index) => name === next[index])) {
      return; // As nearly always: only its status has changed.
    }
    if (next.length === 0) {
      this.#byDefinition.delete(definition);
    } else {
      this.#byDefinition.set(definition, next);
    }
    for (const name of next) {
      this.#count(name, 1);
    }
    for (const name of previous) {
      this.#count(name, -1);
    }
  }

  #count(name: string, change: 1 | -1): void {
    const uses = (this.#uses.get(name) ?? 0) + change;
    if (uses === 0) {
      this.#uses.delete(name);
    } else {
      this.#uses.set(name, uses);
    }
    if (uses === 0 || (uses === 1 && change === 1)) {
      this.#options.onChange(name);
    }
  }
}
