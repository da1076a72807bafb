import { TimeSlice } from "@gatehouse/envelopes/scheduling";
import type { Connection } from "./connection.js";

interface Waiting {
  /** The place of the work among those of its connection: the lowest goes first. */
  readonly order: number;
  readonly proceed: () => void;
}

/**
 * Divides the one thread among long works. All of them together get one slice between two rounds of the event loop, so
 * that short requests are answered in between however many long ones there are. Connections take turns; of one
 * connection the oldest work goes on first, and none while the client leaves too much of its answers unread.
 */
export class Scheduler {
  readonly #slice: TimeSlice;
  /** Waiting work by connection, in the order in which the connections get their turns. */
  readonly #waiting = new Map<Connection, Waiting[]>();
  /** Connections with waiting work that are known to be full. */
  readonly #full = new WeakSet<Connection>();
  #isOpen = false;
  #isScheduled = false;

  /** Prepares slices by `now`, a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#slice = new TimeSlice({ now });
  }

  /**
   * Lets other work run if the slice is over. Called between the steps of work on behalf of a connection. Undefined: the
   * next step may follow at once. Otherwise it follows when the promise is fulfilled. `order` is the place of the work
   * among those of its connection: the lowest goes first.
   */
  yield(connection: Connection, order: number): Promise<void> | undefined {
    if (!connection.isFull) {
      if (!this.#isOpen) {
        this.#open();
        return undefined;
      }
      if (!this.#slice.isOver) {
        return undefined;
      }
    }
    return new Promise((proceed) => this.#enqueue(connection, { order, proceed }));
  }

  #open(): void {
    this.#isOpen = true;
    this.#slice.restart();
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => {
        this.#isScheduled = false;
        this.#isOpen = false;
        this.#give();
      });
    }
  }

  #enqueue(connection: Connection, waiting: Waiting): void {
    const others = this.#waiting.get(connection);
    if (others !== undefined) {
      others.push(waiting);
      return;
    }
    this.#waiting.set(connection, [waiting]);
    this.#schedule();
  }

  /** Gives the slice to the connection whose turn it is. */
  #give(): void {
    for (const [connection, works] of this.#waiting) {
      if (connection.isFull) {
        this.#awaitRoom(connection);
        continue;
      }
      const oldest = works.reduce((first, work) => (work.order < first.order ? work : first));
      works.splice(works.indexOf(oldest), 1);
      this.#waiting.delete(connection);
      if (works.length > 0) {
        this.#waiting.set(connection, works);
      }
      this.#open();
      oldest.proceed();
      return;
    }
  }

  #awaitRoom(connection: Connection): void {
    if (!this.#full.has(connection)) {
      this.#full.add(connection);
      connection.whenRoom(() => {
        this.#full.delete(connection);
        this.#schedule();
      });
    }
  }
}

/** The scheduler of this process, which has one thread. */
export const scheduler = new Scheduler();
