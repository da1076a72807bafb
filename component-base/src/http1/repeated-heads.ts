import type { Refusal } from "./refusal.js";
import { isTarget, type RequestHead, readRequestHead } from "./request-head.js";

/** A head that came before: what is in front of its target, and what is behind it. */
interface KnownHead {
  readonly start: string;
  readonly rest: Buffer;
  readonly head: RequestHead;
}

/** Bytes of a head that is remembered. */
const maxKnownBytes = 4096;

/**
 * Reads the heads of one connection. Clients mostly send the same fields with each request: a head that differs from the
 * one before in nothing but its target has the same fields and the same framing.
 */
export class RepeatedHeads {
  #last: KnownHead | undefined;

  /** Reads a head: its lines, without the empty one. */
  read(bytes: Buffer): RequestHead | Refusal {
    return this.#readAgain(bytes) ?? this.#readFirst(bytes);
  }

  #readAgain(bytes: Buffer): RequestHead | undefined {
    if (this.#last === undefined) {
      return undefined;
    }
    const { start, rest, head } = this.#last;
    const targetEnd = bytes.length - rest.length;
    if (targetEnd <= start.length || rest.compare(bytes, targetEnd) !== 0) {
      return undefined;
    }
    const line = bytes.toString("latin1", 0, targetEnd);
    const target = line.slice(start.length);
    return line.startsWith(start) && isTarget(target, head.method) ? { ...head, target } : undefined;
  }

  #readFirst(bytes: Buffer): RequestHead | Refusal {
    const text = bytes.toString("latin1");
    const head = readRequestHead(text);
    if (!("status" in head) && bytes.length <= maxKnownBytes) {
      const start = `${head.method} `;
      this.#last = { start, rest: Buffer.from(bytes.subarray(start.length + head.target.length)), head };
    }
    return head;
  }
}
