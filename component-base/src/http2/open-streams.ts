import type { Http2Stream } from "./http2-stream.js";

/**
 * Open streams of a connection by number, in the order in which they began. Most connections have one at a time, so the
 * latest is kept beside the map: a map that becomes empty is made anew each time.
 */
export class OpenStreams implements Iterable<Http2Stream> {
  readonly #earlier = new Map<number, Http2Stream>();
  #latest: Http2Stream | undefined;

  get size(): number {
    return this.#earlier.size + (this.#latest === undefined ? 0 : 1);
  }

  get(id: number): Http2Stream | undefined {
    if (this.#latest?.id === id) {
      return this.#latest;
    }
    return this.#earlier.size === 0 ? undefined : this.#earlier.get(id);
  }

  add(stream: Http2Stream): void {
    if (this.#latest !== undefined) {
      this.#earlier.set(this.#latest.id, this.#latest);
    }
    this.#latest = stream;
  }

  delete(stream: Http2Stream): void {
    if (this.#latest === stream) {
      this.#latest = undefined;
    } else if (this.#earlier.get(stream.id) === stream) {
      this.#earlier.delete(stream.id);
    }
  }

  *[Symbol.iterator](): Iterator<Http2Stream> {
    yield* this.#earlier.values();
    if (this.#latest !== undefined) {
      yield this.#latest;
    }
  }
}
