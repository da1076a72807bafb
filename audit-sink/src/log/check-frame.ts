import { digestOf } from "./digest.js";
import { decodeFrame, linkOf, storedLinkOf } from "./frame.js";
import type { LogBatch } from "./log-batch.js";

/** A fault of a frame. */
export interface FrameProblem {
  readonly text: string;
  /** Position of the event with the problem; 0 when it concerns all events. */
  readonly index: number;
}

/** Result of checking a frame. */
export interface CheckedFrame {
  /** The decoded batch; undefined when the parts of the frame do not fit together. */
  readonly batch: LogBatch | undefined;
  /** The fault of the frame itself; undefined when there is none. */
  readonly problem: FrameProblem | undefined;
  /** Values of the chain from which the next frame may follow: two where the stored link is not the computed one. */
  readonly chains: readonly Buffer[];
}

/**
 * Checks a frame whose lengths fit together: that it follows from the chain before it, and that no event has been altered.
 * `chains` are the values that the chain may have had; undefined when it is not known, and then the link is believed.
 */
export function checkFrame(frame: Buffer, chains: readonly Buffer[] | undefined): CheckedFrame {
  const stored = Buffer.from(storedLinkOf(frame));
  const links = chains?.map((chain) => linkOf(frame, chain));
  const isLinked = links?.some((link) => link.equals(stored)) ?? true;
  const batch = decodeFrame(frame);
  // A link that was altered itself leaves the next frame to follow from the computed one.
  const next = isLinked ? [stored] : [stored, ...(links ?? [])];
  if (batch === undefined) {
    return { batch, problem: { text: "the parts of the batch do not fit together", index: 0 }, chains: next };
  }
  if (!isLinked) {
    const problem = { text: "the batch does not follow from what stands before it", index: 0 };
    return { batch, problem, chains: next };
  }
  const altered = batch.events.findIndex(({ bytes, digest }) => digestOf(bytes) !== digest);
  const problem = altered < 0 ? undefined : { text: "the event has been altered", index: altered };
  return { batch, problem, chains: next };
}
