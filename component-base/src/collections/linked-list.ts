/** An element of at most one linked list at a time. */
export abstract class ListElement<T extends ListElement<T>> {
  /** The list that it is in, and its neighbours there: set by the list alone. */
  list: LinkedList<T> | undefined;
  previous: T | undefined;
  next: T | undefined;
}

/**
 * Elements in the order in which they were added. What changes with each request is kept in such a list rather than in a Set
 * or Map: those change their tables every few changes, and a table that has become old keeps the next one, and all that is in
 * it, from collections of the young generation. A third of all memory for requests then became old.
 */
export class LinkedList<T extends ListElement<T>> implements Iterable<T> {
  #size = 0;
  #first: T | undefined;
  #last: T | undefined;

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#first;
  }

  has(element: T): boolean {
    return element.list === this;
  }

  /** Adds an element, which is in no list, at the end. */
  add(element: T): void {
    element.list = this;
    element.previous = this.#last;
    if (this.#last === undefined) {
      this.#first = element;
    } else {
      this.#last.next = element;
    }
    this.#last = element;
    this.#size++;
  }

  /** Takes an element out. False if it is not in this list. */
  delete(element: T): boolean {
    if (element.list !== this) {
      return false;
    }
    const { previous, next } = element;
    if (previous === undefined) {
      this.#first = next;
    } else {
      previous.next = next;
    }
    if (next === undefined) {
      this.#last = previous;
    } else {
      next.previous = previous;
    }
    element.list = undefined;
    element.previous = undefined;
    element.next = undefined;
    this.#size--;
    return true;
  }

  /** Puts an element of this list at its end. */
  moveToEnd(element: T): void {
    if (element !== this.#last && this.delete(element)) {
      this.add(element);
    }
  }

  /** Yields the elements; one that has been yielded may be taken out before the next. */
  *[Symbol.iterator](): Iterator<T> {
    for (let element = this.#first; element !== undefined; ) {
      const { next }: { next: T | undefined } = element;
      yield element;
      element = next;
    }
  }
}
