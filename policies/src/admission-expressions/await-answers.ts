import { timeout } from "@gatehouse/envelopes/status";
import type { Evaluation } from "../cel/index.js";

/** An evaluation that has ended with a value or an error. */
export type EndedEvaluation = Exclude<Evaluation, { readonly pending: Promise<unknown> }>;

/**
 * Evaluates an expression again after each answer from outside that it waits for, of which `pending` is the first. Rejects
 * with 504 when the signal aborts before they are there.
 */
export async function awaitAnswers(
  pending: Promise<unknown>,
  evaluate: () => Evaluation,
  signal: AbortSignal,
): Promise<EndedEvaluation> {
  for (let waited = pending; ; ) {
    await settled(waited, signal);
    const evaluation = evaluate();
    if (evaluation.pending === undefined) {
      return evaluation;
    }
    waited = evaluation.pending;
  }
}

/** Resolves when the promise is settled, whatever it brings. Rejects with 504 when the signal aborts first. */
function settled(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(timeout("request did not complete within requested timeout"));
    if (signal.aborted) {
      giveUp();
      return;
    }
    signal.addEventListener("abort", giveUp, { once: true });
    const goOn = (): void => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    promise.then(goOn, goOn);
  });
}
