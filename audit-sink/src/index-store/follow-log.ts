import type { ReadableLog } from "../log/log-reader.js";
import type { LogState } from "./index-messages.js";

/** The log as another thread sees it: what the thread that writes it has told last. */
export class FollowedLog implements ReadableLog {
  #state: LogState;
  readonly #listeners = new Set<() => void>();

  constructor(state: LogState) {
    this.#state = state;
  }

  get directory(): string {
    return this.#state.directory;
  }

  get isOpen(): boolean {
    return this.#state.isOpen;
  }

  get firstPosition(): number {
    return this.#state.firstPosition;
  }

  get endPosition(): number {
    return this.#state.endPosition;
  }

  get closedSegments(): LogState["closedSegments"] {
    return this.#state.closedSegments;
  }

  get lastSegment(): LogState["lastSegment"] {
    return this.#state.lastSegment;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes the state of now. */
  update(state: LogState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}

/** Returns the state of a log that another thread needs to read it. */
export function logStateOf(log: ReadableLog): LogState {
  const { directory, isOpen, firstPosition, endPosition, closedSegments, lastSegment } = log;
  // Copies: the log goes on changing its own, and open files cannot be sent.
  const copyOf = (segment: LogState["closedSegments"][number]) => {
    return { firstPosition: segment.firstPosition, endPosition: segment.endPosition, bytes: segment.bytes };
  };
  return {
    directory,
    isOpen,
    firstPosition,
    endPosition,
    closedSegments: closedSegments.map(copyOf),
    lastSegment: lastSegment === undefined ? undefined : copyOf(lastSegment),
  };
}
