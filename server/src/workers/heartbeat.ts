/** Times of the heartbeat between a parent and its workers. */
export interface HeartbeatTimes {
  /** Time in milliseconds between two beats. */
  readonly everyMs: number;
  /** The beats in a row that a worker may leave unanswered before it counts as hung. */
  readonly beats: number;
}

/**
 * Beats without an answer after which a worker gets no new connections. One beat may cross a long garbage collection, or
 * work of the machine on something else.
 */
const beatsUntilSilent = 2;
/** A worker that starts reads its data, perhaps in long steps: it may leave so many times as many beats unanswered. */
const startFactor = 4;
/** A parent gets so many times the time of a worker, because its end is that of the whole server. */
const parentFactor = 2;

/** Returns the times that make a hung worker known after `timeoutMs`. */
export function heartbeatTimes(timeoutMs: number): HeartbeatTimes {
  const beats = 6;
  return { everyMs: timeoutMs / beats, beats };
}

/** A worker that answers beats. */
export interface Beating {
  readonly isServing: boolean;
  /** Beats that the worker has left unanswered since its last answer. */
  unansweredBeats: number;
  beat(): void;
}

/** Reports whether a worker has not answered for a while, so that connections are better given to others. */
export function isSilent({ unansweredBeats }: Beating): boolean {
  return unansweredBeats >= beatsUntilSilent;
}

/**
 * Sends a beat to each worker, and returns the one that has hung, if there is one. Beats are counted, not time, so that
 * a parent which has been stopped or starved does not take its own pause for that of its workers. Of several hung workers
 * only the one that is silent for longest is returned, and the others get some more beats: they may have waited for it.
 */
export function nextBeat<W extends Beating>(workers: readonly W[], { beats }: HeartbeatTimes): W | undefined {
  const [hung] = workers
    .filter(({ unansweredBeats, isServing }) => unansweredBeats >= (isServing ? beats : startFactor * beats))
    .sort((a, b) => b.unansweredBeats - a.unansweredBeats);
  for (const worker of workers) {
    if (hung !== undefined) {
      worker.unansweredBeats = Math.min(worker.unansweredBeats, beats - beatsUntilSilent);
    }
    worker.unansweredBeats++;
    worker.beat();
  }
  return hung;
}

/** Notices a parent that sends no beats any more. A worker counts its own ticks, for it may have been stopped itself. */
export class ParentWatch {
  readonly #timer: NodeJS.Timeout;
  #ticks = 0;

  /** Calls `onHung` once when the parent has been silent for twice the time that workers have. */
  constructor({ everyMs, beats }: HeartbeatTimes, onHung: () => void) {
    this.#timer = setInterval(() => {
      if (++this.#ticks > parentFactor * beats) {
        this.stop();
        onHung();
      }
    }, everyMs);
    this.#timer.unref();
  }

  /** Notes a beat of the parent. */
  heard(): void {
    this.#ticks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
