import { open } from "node:fs/promises";
import { countOf, decodeFrame, storedLinkOf } from "../log/frame.js";
import { FrameScanner } from "../log/frame-scanner.js";
import type { LogBatch } from "../log/log-batch.js";
import { frameProblem } from "../log/recover-log.js";
import { listSegments, readSegmentHead, type SegmentHead, segmentHeadBytes, segmentPath } from "../log/segment.js";

/** A place where a log is not what was written. */
export interface LogFault {
  readonly file: string;
  /** Of the frame, in the file. */
  readonly offset: number;
  /** Of the event, or of the first one of several. */
  readonly position: number;
  readonly problem: string;
}

/** What the files of a log show. */
export interface LogFindings {
  /** Positions that were looked at: from `first`, up to but without `end`. */
  readonly first: number;
  readonly end: number;
  /** The chain after the last event, in hexadecimal: noted somewhere else, it proves later that nothing before was changed. */
  readonly chain: string;
  /** The chain before `first`. */
  readonly chainBefore: string;
  /** In the order of the log. */
  readonly faults: readonly LogFault[];
  /** Bytes behind the last whole batch: being written now, or cut short by a crash. Nothing of it was acknowledged. */
  readonly unfinishedBytes: number;
}

/** Which part of a log is looked at. */
export interface VerifyRange {
  /** Position of the first event that must be there. Default: the oldest that is kept. */
  readonly from?: number;
  /** Position after the last event that must be there. Default: all that are kept. */
  readonly to?: number;
  /** Shown every batch of the range, whole ones only. */
  readonly onBatch?: (batch: LogBatch) => void;
}

/**
 * Reads a log from beginning to end and proves that every batch follows from the one before and no event has been altered.
 * Each fault is told with its place; what comes after it is proved again from there. May be done while a sink writes.
 */
export async function verifyLog(directory: string, range: VerifyRange = {}): Promise<LogFindings> {
  const positions = await listSegments(directory);
  const verification = new Verification(range);
  const { from = 0, to = Number.POSITIVE_INFINITY } = range;
  const wanted = positions.filter(
    (first, index) => first < to && (positions[index + 1] ?? Number.POSITIVE_INFINITY) > from,
  );
  for (const first of wanted) {
    await verification.segment(segmentPath(directory, first), first, first === positions.at(-1));
  }
  return verification.findings(from, to);
}

class Verification {
  readonly #range: VerifyRange;
  readonly #faults: LogFault[] = [];
  #first: number | undefined;
  #position = 0;
  #chain: Buffer | undefined;
  #chainBefore = "";
  #unfinishedBytes = 0;

  constructor(range: VerifyRange) {
    this.#range = range;
  }

  async segment(path: string, first: number, isLast: boolean): Promise<void> {
    const file = await open(path, "r");
    try {
      const head = await readSegmentHead(file);
      if (head === undefined) {
        this.#fault(path, 0, "it does not begin as a segment", first);
        return;
      }
      this.#begin(path, first, head);
      // What is written after this is for the next time.
      const { size } = await file.stat();
      const scanner = new FrameScanner(file, segmentHeadBytes);
      while (this.#position < (this.#range.to ?? Number.POSITIVE_INFINITY)) {
        const { offset } = scanner;
        const frame = await scanner.next(size);
        if (frame === undefined) {
          this.#tail(path, offset, size, isLast);
          return;
        }
        this.#frame(path, offset, frame);
      }
    } finally {
      await file.close();
    }
  }

  findings(from: number, to: number): LogFindings {
    const first = Math.max(this.#first ?? 0, from);
    if ((this.#first ?? 0) > from && this.#range.from !== undefined) {
      this.#faults.unshift({
        file: "",
        offset: 0,
        position: from,
        problem: `the events from position ${from} to ${(this.#first ?? 1) - 1} are not kept`,
      });
    }
    if (this.#position < to && this.#range.to !== undefined) {
      this.#fault("", 0, `the log ends before position ${to}`);
    }
    return {
      first,
      end: Math.max(first, Math.min(this.#position, to)),
      chain: (this.#chain ?? Buffer.alloc(0)).toString("hex"),
      chainBefore: this.#chainBefore,
      faults: this.#faults,
      unfinishedBytes: this.#unfinishedBytes,
    };
  }

  #begin(path: string, first: number, { chain, firstPosition }: SegmentHead): void {
    if (this.#chain === undefined) {
      this.#first = first;
      this.#position = first;
      this.#chainBefore = chain.toString("hex");
    }
    if (firstPosition !== first) {
      this.#fault(path, 0, `its head tells of position ${firstPosition}`, first);
    } else if (first !== this.#position) {
      this.#fault(path, 0, `the events from position ${this.#position} to ${first - 1} are missing`);
    } else if (this.#chain !== undefined && !chain.equals(this.#chain)) {
      this.#fault(path, 0, "its head does not follow from the segment before");
    }
    this.#position = first;
    this.#chain = chain;
  }

  #frame(path: string, offset: number, frame: Buffer): void {
    const problem = frameProblem(frame, this.#position, this.#chain as Buffer);
    const batch = decodeFrame(frame);
    if (problem !== undefined) {
      this.#fault(path, offset, problem.text, this.#position + problem.index);
    }
    if (batch !== undefined && problem === undefined) {
      this.#range.onBatch?.(batch);
    }
    this.#position += countOf(frame);
    this.#chain = Buffer.from(storedLinkOf(frame));
  }

  #tail(path: string, offset: number, size: number, isLast: boolean): void {
    if (offset === size) {
      return;
    }
    if (isLast) {
      this.#unfinishedBytes = size - offset;
    } else {
      this.#fault(path, offset, "no batch begins here; the rest of the segment cannot be read");
    }
  }

  #fault(file: string, offset: number, problem: string, position: number = this.#position): void {
    this.#faults.push({ file, offset, position, problem });
  }
}
