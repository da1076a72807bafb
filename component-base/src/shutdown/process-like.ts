/** The part of a process that starting and ending it needs. */
export interface ProcessLike {
  on(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  off(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  /**
   * Ends the process with this code when all its threads have come to an end. Waits for ever for a thread that waits for
   * JavaScript, as the writer of an open store does: see docs/decisions/0041.
   */
  exit(code: number): void;
  /** Ends the process and waits for nothing: no exit listener runs, and the exit status is that of SIGKILL. */
  endAtOnce(): void;
  /** Ends the process in the same way after so many milliseconds, even if this thread is busy; unless disposed before. */
  endAfter(ms: number): Disposable;
}
