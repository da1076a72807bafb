// Cases in phases. Each phase has `cases`, and `settleMs`: the time in milliseconds until both servers have noticed what
// it has created. A case may name the path `served`, at which a kind is served that it creates.

/** Yields the cases of all phases, after each phase when its time is over. */
export async function* inPhases(phases) {
  for (const { cases, settleMs = 0 } of phases) {
    yield* cases;
    await new Promise((resolve) => setTimeout(resolve, settleMs));
  }
}

/** Returns a case whose answers are not compared. */
export const quietly = (name, steps) => ({ name, steps: steps.map((step) => ({ ...step, quiet: true })) });

/** Returns numbers out of the environment: SEED, COUNT and REQUESTS. */
export function sizesFrom({ SEED = "1", COUNT, REQUESTS }, { count, requests }) {
  return { seed: Number(SEED), count: Number(COUNT ?? count), requests: Number(REQUESTS ?? requests) };
}
