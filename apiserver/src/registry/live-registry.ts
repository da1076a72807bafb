import type { ResourceRegistry } from "./resource-registry.js";

/**
 * The source of the registry that is served now. Take `current` once for each request or pass of work and keep it to
 * the end: the next one may be different.
 */
export interface RegistrySource {
  readonly current: ResourceRegistry;
  /** Calls `listener` after every change, until the returned Disposable is disposed of. Listeners must not throw. */
  onChange(listener: (current: ResourceRegistry, previous: ResourceRegistry) => void): Disposable;
}

/** The only place where what is served changes: the whole registry is swapped, between two turns of the event loop. */
export class LiveRegistry implements RegistrySource {
  readonly #listeners = new Set<(current: ResourceRegistry, previous: ResourceRegistry) => void>();
  #current: ResourceRegistry;

  constructor(initial: ResourceRegistry) {
    this.#current = initial;
  }

  get current(): ResourceRegistry {
    return this.#current;
  }

  /** Serves `next` from now on. */
  replace(next: ResourceRegistry): void {
    const previous = this.#current;
    this.#current = next;
    for (const listener of [...this.#listeners]) {
      listener(next, previous);
    }
  }

  onChange(listener: (current: ResourceRegistry, previous: ResourceRegistry) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
