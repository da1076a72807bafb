import type { Catalogue } from "./catalogue.js";

/**
 * The source of the catalogue that is served now. Take `current` once for each request or pass of work and keep it to
 * the end: the next one may be different.
 */
export interface CatalogueSource {
  readonly current: Catalogue;
  /** Calls `listener` after every change, until the returned Disposable is disposed of. Listeners must not throw. */
  onChange(listener: (current: Catalogue, previous: Catalogue) => void): Disposable;
}

/** The only place where what is served changes: the whole catalogue is swapped, between two turns of the event loop. */
export class LiveCatalogue implements CatalogueSource {
  readonly #listeners = new Set<(current: Catalogue, previous: Catalogue) => void>();
  #current: Catalogue;

  constructor(initial: Catalogue) {
    this.#current = initial;
  }

  get current(): Catalogue {
    return this.#current;
  }

  /** Serves `next` from now on. */
  replace(next: Catalogue): void {
    const previous = this.#current;
    this.#current = next;
    for (const listener of [...this.#listeners]) {
      listener(next, previous);
    }
  }

  onChange(listener: (current: Catalogue, previous: Catalogue) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
