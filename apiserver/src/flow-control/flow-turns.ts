import type { LevelFlow, LevelState } from "./level-state.js";

/** A request that waits for the turn of its flow. */
interface Waiting {
  readonly run: () => void;
}

/** The time in milliseconds that requests of several flows get between two rounds of the event loop. */
const sliceMs = 0.25;
/** The slice while a flow is crowded: what another flow waits for at most. */
const crowdedSliceMs = 0.05;
/** The number of waiting requests from which on a flow is crowded: enough for the rounds in which further ones are read. */
const crowd = 8;
/** The time in milliseconds for which the requests of one flow count as competing with those of another. */
const competitionMs = 100;

/**
 * Divides the one thread among flows. Most requests are executed at once, without waiting for anything: what they compete
 * for is not seats but the rounds of the event loop, in which a client with many connections would have most requests.
 * While several flows are active, requests get a slice of each round. What comes later waits; then levels take turns, and
 * flows within a level.
 *
 * A request that is read costs time and memory before its flow is known. So the clients of a crowded flow are not read
 * after an answer until the flow has room: what they send waits in the kernel.
 */
export class FlowTurns {
  readonly #now: () => number;
  readonly #nextRound: (task: () => void) => void;
  readonly #waiting = new Map<LevelState, Map<LevelFlow, Set<Waiting>>>();
  /** Functions that read from a client again, by the flow of its last request, in the order of the answers. */
  readonly #unread = new Map<LevelFlow, Set<() => void>>();
  #count = 0;
  #isScheduled = false;
  #sliceEndsAtMs = 0;
  #lastFlow: LevelFlow | undefined;
  #competingUntilMs = Number.NEGATIVE_INFINITY;

  /** `now` is a monotonic clock in milliseconds; `nextRound` runs a task when input and output have had their turn. */
  constructor(now: () => number = () => performance.now(), nextRound: (task: () => void) => void = setImmediate) {
    this.#now = now;
    this.#nextRound = nextRound;
  }

  /** Reports whether a request of the flow may be executed at once. If not, it has to wait. */
  mayRun(flow: LevelFlow, nowMs: number): boolean {
    if (flow !== this.#lastFlow) {
      this.#competingUntilMs = this.#lastFlow === undefined ? nowMs : nowMs + competitionMs;
      this.#lastFlow = flow;
    }
    if (this.#count > 0) {
      return false;
    }
    if (nowMs >= this.#competingUntilMs) {
      return true;
    }
    if (!this.#isScheduled) {
      this.#sliceEndsAtMs = nowMs + this.#sliceMs;
      this.#schedule();
      return true;
    }
    return nowMs < this.#sliceEndsAtMs;
  }

  /** Calls `run` when the flow has its turn, unless the function returned is called before. */
  wait(flow: LevelFlow, run: () => void): () => void {
    const waiting: Waiting = { run };
    const flows = getOrMake(this.#waiting, flow.level, () => new Map<LevelFlow, Set<Waiting>>());
    getOrMake(flows, flow, () => new Set<Waiting>()).add(waiting);
    this.#count++;
    this.#schedule();
    return () => this.#remove(flow, waiting);
  }

  /**
   * Leaves the client whose request is answered unread while its flow is crowded. `stopReading` returns the function that
   * reads from it again, or undefined where nothing was stopped.
   */
  pace(flow: LevelFlow, stopReading: () => (() => void) | undefined): void {
    if (this.#waitingOf(flow) < crowd) {
      return;
    }
    const readAgain = stopReading();
    if (readAgain !== undefined) {
      getOrMake(this.#unread, flow, () => new Set<() => void>()).add(readAgain);
    }
  }

  get #sliceMs(): number {
    return this.#unread.size > 0 ? crowdedSliceMs : sliceMs;
  }

  #waitingOf(flow: LevelFlow): number {
    return this.#waiting.get(flow.level)?.get(flow)?.size ?? 0;
  }

  /** Reads from as many clients of each flow as make it crowded again. */
  #readAgain(): void {
    for (const [flow, clients] of this.#unread) {
      let room = crowd - this.#waitingOf(flow);
      for (const readAgain of clients) {
        if (room <= 0) {
          break;
        }
        room--;
        clients.delete(readAgain);
        readAgain();
      }
      if (clients.size === 0) {
        this.#unread.delete(flow);
      }
    }
  }

  #remove(flow: LevelFlow, waiting: Waiting): void {
    const flows = this.#waiting.get(flow.level);
    const ofFlow = flows?.get(flow);
    if (flows === undefined || ofFlow?.delete(waiting) !== true) {
      return;
    }
    this.#count--;
    if (ofFlow.size === 0) {
      flows.delete(flow);
    }
    if (flows.size === 0) {
      this.#waiting.delete(flow.level);
    }
  }

  #schedule(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      this.#nextRound(() => this.#give());
    }
  }

  #give(): void {
    this.#isScheduled = false;
    if (this.#count === 0 && this.#unread.size === 0) {
      return;
    }
    this.#sliceEndsAtMs = this.#now() + this.#sliceMs;
    do {
      this.#next()?.run();
    } while (this.#count > 0 && this.#now() < this.#sliceEndsAtMs);
    this.#readAgain();
    // Newcomers of this round have what is left of the slice.
    this.#schedule();
  }

  /** Takes the request whose turn it is; its level and flow go to the end of their rows. */
  #next(): Waiting | undefined {
    for (const [level, flows] of this.#waiting) {
      for (const [flow, ofFlow] of flows) {
        for (const waiting of ofFlow) {
          this.#remove(flow, waiting);
          moveToEnd(flows, flow);
          moveToEnd(this.#waiting, level);
          return waiting;
        }
      }
    }
    return undefined;
  }
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function moveToEnd<K, V>(map: Map<K, V>, key: K): void {
  const value = map.get(key);
  if (value !== undefined) {
    map.delete(key);
    map.set(key, value);
  }
}
