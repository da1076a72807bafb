import type { FileHandle } from "node:fs/promises";
import { checkFrame } from "./check-frame.js";
import { findFrame } from "./find-frame.js";
import { countOf } from "./frame.js";
import { FrameScanner } from "./frame-scanner.js";
import type { LogBatch } from "./log-batch.js";
import { segmentHeadBytes } from "./segment.js";

/** Bounds of a walk through a segment. */
export interface SegmentWalk {
  /** Bytes of the file that are looked at. */
  readonly size: number;
  readonly firstPosition: number;
  /** The chain before the first frame; undefined when it is not known. */
  readonly chain: Buffer | undefined;
}

/** A whole batch in a segment. */
export interface WholeBatch {
  readonly batch: LogBatch;
  readonly damage?: undefined;
  /** Place in the file after the batch. */
  readonly endOffset: number;
  /** The chain after the batch. */
  readonly chain: Buffer;
}

/** A part of a segment that is not what was written. */
export interface SegmentDamage {
  /** Place in the file. */
  readonly offset: number;
  /** Position of the first event with the problem. */
  readonly position: number;
  /** Position after the last event of the part; undefined when the file does not tell. */
  readonly endPosition: number | undefined;
  readonly problem: string;
}

/**
 * Goes through the frames of a segment in order, checks each of them, and goes on behind damaged parts with the next whole
 * frame. Ends at the end of the last frame or damaged part.
 */
export async function* walkSegment(
  file: FileHandle,
  { size, firstPosition, chain }: SegmentWalk,
): AsyncGenerator<WholeBatch | { readonly damage: SegmentDamage }, void> {
  let scanner = new FrameScanner(file, segmentHeadBytes);
  let position = firstPosition;
  let chains: readonly Buffer[] | undefined = chain === undefined ? undefined : [chain];
  while (scanner.offset < size) {
    const { offset } = scanner;
    const frame = await scanner.next(size);
    if (frame === undefined) {
      const found = await findFrame(file, { from: offset + 1, end: size, minPosition: position });
      const problem = "no whole batch begins here";
      yield { damage: { offset, position, endPosition: found?.position, problem } };
      if (found === undefined) {
        return;
      }
      ({ position } = found);
      chains = [found.chain];
      scanner = new FrameScanner(file, found.offset);
      continue;
    }
    const { batch, problem, chains: nextChains } = checkFrame(frame, chains);
    // A position is covered by the link, so it is to be believed where the link is proved.
    const isLost =
      batch !== undefined && (chains === undefined ? batch.position !== position : batch.position < position);
    chains = nextChains;
    if (batch === undefined || problem !== undefined || isLost) {
      const endPosition = position + countOf(frame);
      const { text, index } = problem ?? { text: "the batch stands in the wrong place", index: 0 };
      yield { damage: { offset, position: position + index, endPosition, problem: text } };
      position = endPosition;
      continue;
    }
    if (batch.position > position) {
      const problem = `the batch begins with position ${batch.position}`;
      yield { damage: { offset, position, endPosition: batch.position, problem } };
    }
    position = batch.position + batch.events.length;
    yield { batch, endOffset: scanner.offset, chain: nextChains[0] as Buffer };
  }
}
