import { LinkedList, ListElement } from "@gatehouse/component-base/collections";
import type { LevelFlow, LevelState } from "./level-state.js";

/** A request that waits for the turn of its flow. */
class Waiting extends ListElement<Waiting> {
  readonly row: FlowRow;
  readonly run: () => void;

  constructor(row: FlowRow, run: () => void) {
    super();
    this.row = row;
    this.run = run;
  }
}

/** A client that is not read from until its flow has room. */
class Unread extends ListElement<Unread> {
  readonly readAgain: () => void;

  constructor(readAgain: () => void) {
    super();
    this.readAgain = readAgain;
  }
}

/** A flow with its requests that wait, and its clients that are not read from, in the order of their answers. */
class FlowRow extends ListElement<FlowRow> {
  readonly level: LevelRow;
  readonly waiting = new LinkedList<Waiting>();
  readonly unread = new LinkedList<Unread>();

  constructor(level: LevelRow) {
    super();
    this.level = level;
  }
}

/** A priority level with the flows of which requests wait. */
class LevelRow extends ListElement<LevelRow> {
  readonly flows = new LinkedList<FlowRow>();
}

/** The time in milliseconds that requests of several flows get between two rounds of the event loop. */
const sliceMs = 0.25;
/** The slice while a flow is crowded: what another flow waits for at most. */
const crowdedSliceMs = 0.05;
/** The number of waiting requests from which on a flow is crowded: enough for the rounds in which further ones are read. */
const crowd = 8;
/** The number of flows up to which those are remembered of which nothing waits. */
const keptRows = 1000;
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
  readonly #rows = new Map<LevelFlow, FlowRow>();
  readonly #levelRows = new Map<LevelState, LevelRow>();
  /** The number of flows at which idle ones are forgotten: twice as many as were left, so that each is seldom looked at. */
  #maxRows = keptRows;
  /** The levels of which requests wait, in the order of their turns. */
  readonly #levels = new LinkedList<LevelRow>();
  /** Flows with clients that are not read from. */
  readonly #withUnread = new Set<FlowRow>();
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
    const row = this.#rowOf(flow);
    const waiting = new Waiting(row, run);
    row.waiting.add(waiting);
    if (row.list === undefined) {
      row.level.flows.add(row);
    }
    if (row.level.list === undefined) {
      this.#levels.add(row.level);
    }
    this.#count++;
    this.#schedule();
    return () => this.#remove(waiting);
  }

  /**
   * Leaves the client whose request is answered unread while its flow is crowded. `stopReading` returns the function that
   * reads from it again, or undefined where nothing was stopped.
   */
  pace(flow: LevelFlow, stopReading: () => (() => void) | undefined): void {
    const row = this.#rows.get(flow);
    if (row === undefined || row.waiting.size < crowd) {
      return;
    }
    const readAgain = stopReading();
    if (readAgain !== undefined) {
      row.unread.add(new Unread(readAgain));
      this.#withUnread.add(row);
    }
  }

  get #sliceMs(): number {
    return this.#withUnread.size > 0 ? crowdedSliceMs : sliceMs;
  }

  #rowOf(flow: LevelFlow): FlowRow {
    let row = this.#rows.get(flow);
    if (row === undefined) {
      if (this.#rows.size >= this.#maxRows) {
        this.#forgetIdleRows();
        this.#maxRows = Math.max(keptRows, 2 * this.#rows.size);
      }
      row = new FlowRow(getOrMake(this.#levelRows, flow.level, () => new LevelRow()));
      this.#rows.set(flow, row);
    }
    return row;
  }

  #forgetIdleRows(): void {
    const levels = new Set<LevelRow>();
    for (const [flow, row] of this.#rows) {
      if (row.waiting.size === 0 && row.unread.size === 0) {
        this.#rows.delete(flow);
      } else {
        levels.add(row.level);
      }
    }
    for (const [level, row] of this.#levelRows) {
      if (!levels.has(row)) {
        this.#levelRows.delete(level);
      }
    }
  }

  /** Reads from as many clients of each flow as make it crowded again. */
  #readAgain(): void {
    for (const row of this.#withUnread) {
      let room = crowd - row.waiting.size;
      for (const client of row.unread) {
        if (room <= 0) {
          break;
        }
        room--;
        row.unread.delete(client);
        client.readAgain();
      }
      if (row.unread.size === 0) {
        this.#withUnread.delete(row);
      }
    }
  }

  #remove(waiting: Waiting): void {
    const { row } = waiting;
    if (!row.waiting.delete(waiting)) {
      return;
    }
    this.#count--;
    if (row.waiting.size === 0) {
      row.level.flows.delete(row);
    }
    if (row.level.flows.size === 0) {
      this.#levels.delete(row.level);
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
    if (this.#count === 0 && this.#withUnread.size === 0) {
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
    const level = this.#levels.first;
    const row = level?.flows.first;
    const waiting = row?.waiting.first;
    if (level === undefined || row === undefined || waiting === undefined) {
      return undefined;
    }
    this.#remove(waiting);
    level.flows.moveToEnd(row);
    this.#levels.moveToEnd(level);
    return waiting;
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
