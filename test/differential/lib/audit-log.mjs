// Audit events by their ids, out of the logs of several servers as they grow.
import { closeSync, openSync, readSync } from "node:fs";

const pausing = new Int32Array(new SharedArrayBuffer(4));
const pauseMs = 5;

export class AuditLogs {
  #logs;
  #events = new Map();
  #read;

  /** `read` makes of a line of a log what is kept of it: an object with `auditID`, as audit events have it. */
  constructor(files, read = JSON.parse) {
    this.#logs = files.map((file) => ({ file, at: 0, rest: "" }));
    this.#read = read;
  }

  /**
   * Returns the events of that id in the order of the log, once `isComplete(events)` holds or that time in milliseconds
   * has passed, and forgets them: events may be written a moment after the answer.
   */
  eventsOf(id, isComplete, patienceMs) {
    this.#readAll();
    for (let waited = 0; waited < patienceMs && !isComplete(this.#events.get(id) ?? []); waited += pauseMs) {
      Atomics.wait(pausing, 0, 0, pauseMs);
      this.#readAll();
    }
    const found = this.#events.get(id) ?? [];
    this.#events.delete(id);
    return found;
  }

  #readAll() {
    const buffer = Buffer.alloc(1 << 20);
    for (const log of this.#logs) {
      const descriptor = openSync(log.file, "r");
      for (let count = 1; count > 0; ) {
        count = readSync(descriptor, buffer, 0, buffer.length, log.at);
        log.at += count;
        const lines = (log.rest + buffer.subarray(0, count).toString("latin1")).split("\n");
        log.rest = lines.pop();
        for (const line of lines) this.#keep(this.#read(Buffer.from(line, "latin1").toString()));
      }
      closeSync(descriptor);
    }
  }

  #keep(event) {
    const others = this.#events.get(event.auditID);
    if (others === undefined) this.#events.set(event.auditID, [event]);
    else others.push(event);
  }
}
