import type { Http2Stream } from "./http2-stream.js";

/**
 * Open streams of a connection in the order in which they began, which is that of their numbers. An array, not a Map: those
 * change their tables every few streams, and one that has become old keeps all that follow from collections of the young
 * generation, with the requests in them.
 */
export class OpenStreams implements Iterable<Http2Stream> {
  readonly #streams: Http2Stream[] = [];

  get size(): number {
    return this.#streams.length;
  }

  get(id: number): Http2Stream | undefined {
    const stream = this.#streams[this.#indexOf(id)];
    return stream?.id === id ? stream : undefined;
  }

  /** Adds a stream, whose number is larger than all before. */
  add(stream: Http2Stream): void {
    this.#streams.push(stream);
  }

  delete(stream: Http2Stream): void {
    const index = this.#indexOf(stream.id);
    if (this.#streams[index] !== stream) {
      return;
    }
    if (index === this.#streams.length - 1) {
      this.#streams.pop();
    } else {
      this.#streams.splice(index, 1);
    }
  }

  [Symbol.iterator](): Iterator<Http2Stream> {
    return this.#streams[Symbol.iterator]();
  }

  /** Returns the index of the first stream whose number is not smaller than `id`. */
  #indexOf(id: number): number {
    let low = 0;
    let high = this.#streams.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#streams[middle] as Http2Stream).id < id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
