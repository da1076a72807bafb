import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { type AcknowledgedRange, markName, type ReadMark, readMark } from "../log/acknowledged-mark.js";
import type { LogBatch } from "../log/log-batch.js";
import { listSegments, readSegmentHead, segmentHeadBytes, segmentPath } from "../log/segment.js";
import { type SegmentDamage, walkSegment } from "../log/walk-segment.js";

/** A place where a log is not what was written. */
export interface LogFault {
  /** Path of the file; empty for a fault that is not of one file. */
  readonly file: string;
  /** Offset of the frame in the file, in bytes. */
  readonly offset: number;
  /** Position of the event, or of the first one of several. */
  readonly position: number;
  readonly problem: string;
}

/** Results of verifying the files of a log. */
export interface LogFindings {
  /** Positions that were looked at: from `first`, up to but without `end`. */
  readonly first: number;
  readonly end: number;
  /** The chain after the last event, in hexadecimal: noted somewhere else, it proves later that nothing before was changed. */
  readonly chain: string;
  /** The chain before `first`. */
  readonly chainBefore: string;
  /** Faults in the order of the log. */
  readonly faults: readonly LogFault[];
  /** Bytes behind the last whole batch: being written now, or cut short by a crash. Nothing of it was acknowledged. */
  readonly unfinishedBytes: number;
}

/** Part of a log to verify. */
export interface VerifyRange {
  /** Position of the first event that must be there. Default: the oldest that is kept. */
  readonly from?: number;
  /** Position after the last event that must be there. Default: all that are kept. */
  readonly to?: number;
  /** Shown every batch of the range, whole ones only. */
  readonly onBatch?: (batch: LogBatch) => void;
}

/**
 * Reads a log from beginning to end and proves that every batch follows from the one before, that no event has been altered,
 * and that everything that was acknowledged is there. Each fault is told with its place; what comes after it is proved again
 * from there. May be done while a sink writes.
 */
export async function verifyLog(directory: string, range: VerifyRange = {}): Promise<LogFindings> {
  // A sink that is running only appends beyond the mark, and moves the mark before it deletes.
  const before = await readMark(directory);
  const positions = await listSegments(directory);
  const now = await readMark(directory);
  const mark = typeof before === "string" || typeof now === "string" ? before : { ...before, first: now.first };
  const verification = new Verification(directory, mark, range);
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
  readonly #directory: string;
  #mark: ReadMark;
  readonly #range: VerifyRange;
  readonly #faults: LogFault[] = [];
  #first: number | undefined;
  #position = 0;
  #chain: Buffer | undefined;
  /** False behind a damaged batch: `#chain` is then that of an earlier position. */
  #isChainCurrent = true;
  #chainBefore = "";
  #unfinishedBytes = 0;

  constructor(directory: string, mark: ReadMark, range: VerifyRange) {
    this.#directory = directory;
    this.#mark = mark;
    this.#range = range;
  }

  async segment(path: string, first: number, isLast: boolean): Promise<void> {
    const file = await this.#openUnlessDeleted(path, first);
    if (file === undefined) {
      return;
    }
    try {
      // What is written after this is for the next time.
      const { size } = await file.stat();
      const head = await readSegmentHead(file, first);
      if (head === undefined && isLast && size <= segmentHeadBytes && this.#acknowledged.position <= first) {
        this.#unfinishedBytes = size;
        return;
      }
      this.#begin(path, first, head?.chain);
      await this.#walk(file, path, { size, firstPosition: first, chain: head?.chain, isLast });
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
    this.#compareBegin(from);
    this.#compareEnd(to);
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

  get #acknowledged(): Partial<AcknowledgedRange> & { readonly position: number } {
    return typeof this.#mark === "string" ? { position: 0 } : this.#mark;
  }

  /** Opens a segment. Undefined when a running sink has deleted it since the segments were listed. */
  async #openUnlessDeleted(path: string, first: number): Promise<FileHandle | undefined> {
    try {
      return await open(path, "r");
    } catch (error) {
      const mark = await readMark(this.#directory);
      if (typeof mark === "string" || typeof this.#mark === "string" || mark.first <= first) {
        throw error;
      }
      this.#mark = { ...this.#mark, first: mark.first };
      return undefined;
    }
  }

  #begin(path: string, first: number, chain: Buffer | undefined): void {
    if (chain === undefined) {
      this.#fault(path, 0, "its head is damaged, or it is no segment of a log", first);
    }
    if (this.#first === undefined) {
      this.#first = first;
      this.#chainBefore = chain?.toString("hex") ?? "";
    } else if (first !== this.#position) {
      // A sink that is running may have deleted what stood before, after the segments were listed.
      if (first > (this.#acknowledged.first ?? 0)) {
        this.#fault(path, 0, `the events from position ${this.#position} to ${first - 1} are missing`);
      }
    } else if (this.#isChainCurrent && chain !== undefined && this.#chain?.equals(chain) === false) {
      this.#fault(path, 0, "its head does not follow from the segment before");
    }
    this.#position = first;
    this.#chain = chain ?? this.#chain;
    this.#isChainCurrent = chain !== undefined;
  }

  async #walk(
    file: FileHandle,
    path: string,
    walk: Parameters<typeof walkSegment>[1] & { readonly isLast: boolean },
  ): Promise<void> {
    const { to = Number.POSITIVE_INFINITY, onBatch } = this.#range;
    /** Damage without a whole batch behind it: at the end of the log, it may be an unfinished write. */
    let pending: SegmentDamage[] = [];
    for await (const part of walkSegment(file, walk)) {
      if (part.damage !== undefined) {
        pending.push(part.damage);
        continue;
      }
      this.#damaged(path, pending);
      pending = [];
      const { batch, chain, endOffset } = part;
      onBatch?.(batch);
      this.#position = batch.position + batch.events.length;
      this.#chain = chain;
      this.#isChainCurrent = true;
      this.#compareChain(path, endOffset);
      if (this.#position >= to) {
        return;
      }
    }
    const [first] = pending;
    if (first !== undefined && walk.isLast && this.#acknowledged.position <= this.#position) {
      this.#unfinishedBytes = walk.size - first.offset;
    } else if (first !== undefined) {
      this.#damaged(path, pending);
      this.#position = pending.at(-1)?.endPosition ?? this.#position;
      this.#isChainCurrent = false;
    }
  }

  #damaged(path: string, damages: readonly SegmentDamage[]): void {
    for (const { offset, position, problem } of damages) {
      this.#fault(path, offset, problem, position);
    }
  }

  #compareChain(path: string, offset: number): void {
    const { position, chain } = this.#acknowledged;
    if (chain !== undefined && position === this.#position && this.#chain?.equals(chain) === false) {
      this.#fault(path, offset, "the events up to here are not those that were acknowledged");
    }
  }

  /** Compares the begin of the log with the mark, which the sink moves before it deletes events. */
  #compareBegin(from: number): void {
    const wanted = Math.max(from, this.#acknowledged.first ?? 0);
    if (this.#first !== undefined && wanted < this.#first && this.#range.from === undefined) {
      const problem = `the events from position ${wanted} to ${this.#first - 1} are missing, and the sink has not deleted them`;
      this.#faults.unshift({ file: this.#directory, offset: 0, position: wanted, problem });
    }
  }

  /** Compares the end of the log with the mark. */
  #compareEnd(to: number): void {
    const path = join(this.#directory, markName);
    if (this.#mark === "damaged" || (this.#mark === "missing" && this.#first !== undefined)) {
      this.#fault(
        path,
        0,
        `the record of what was acknowledged is ${this.#mark}; whether the end is cut off is unknown`,
      );
      return;
    }
    const end = Math.min(to, this.#acknowledged.position);
    if (this.#position < end) {
      const problem = `events up to position ${end - 1} were acknowledged, but the log ends before position ${this.#position}`;
      this.#fault(path, 0, problem);
    }
  }

  #fault(file: string, offset: number, problem: string, position: number = this.#position): void {
    this.#faults.push({ file, offset, position, problem });
  }
}
