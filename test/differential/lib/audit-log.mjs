// Audit events by their ids, out of the logs of several servers as they grow.
import { closeSync, openSync, readSync } from "node:fs";

const pausing = new Int32Array(new SharedArrayBuffer(4));
const attempts = 400;

/** Annotations that no policy and no webhook makes. */
const others =
  /^(?:authorization\.k8s\.io|why\.authorization\.gatehouse\.dev|apiserver\.latency\.k8s\.io|pod-security\.)/;

export class AuditLogs {
  #logs;
  #annotations = new Map();

  constructor(files) {
    this.#logs = files.map((file) => ({ file, at: 0, rest: "" }));
  }

  /** Returns the annotations of the event of that id, which may be written a moment later; undefined after two seconds. */
  annotationsOf(id) {
    for (let attempt = 0; attempt < attempts && !this.#annotations.has(id); attempt++) {
      if (attempt > 0) Atomics.wait(pausing, 0, 0, 5);
      for (const log of this.#logs) this.#read(log);
    }
    const found = this.#annotations.get(id);
    this.#annotations.delete(id);
    return found;
  }

  #read(log) {
    const descriptor = openSync(log.file, "r");
    const buffer = Buffer.alloc(1 << 20);
    for (let count = 1; count > 0; ) {
      count = readSync(descriptor, buffer, 0, buffer.length, log.at);
      log.at += count;
      const lines = (log.rest + buffer.subarray(0, count).toString("latin1")).split("\n");
      log.rest = lines.pop();
      for (const line of lines) this.#keep(JSON.parse(Buffer.from(line, "latin1").toString()));
    }
    closeSync(descriptor);
  }

  #keep({ auditID, annotations = {} }) {
    const kept = Object.entries(annotations).filter(([key]) => !others.test(key));
    this.#annotations.set(auditID, Object.fromEntries(kept.sort()));
  }
}
