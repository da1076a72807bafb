import type { SoakPart } from "./soak-parts.js";

/** Result of a part: whether it passed, and the lines that are still to be printed. */
export interface PartResult {
  readonly passed: boolean;
  readonly lines: readonly string[];
}

/** Listener to parts that begin and end. */
export interface PartListener {
  began(part: SoakPart): void;
  ended(part: SoakPart, result: PartResult): void;
}

/**
 * Runs every part, up to `atOnce` of them side by side in their order, also after one has failed; parts that measure what
 * others would disturb come last, each alone. Resolves to whether all have passed.
 */
export async function runParts(
  parts: readonly SoakPart[],
  atOnce: number,
  run: (part: SoakPart) => Promise<PartResult>,
  listener: PartListener,
): Promise<boolean> {
  let allPassed = true;
  const inTurn = async (queue: Iterator<SoakPart>): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      listener.began(next.value);
      const result = await run(next.value);
      allPassed &&= result.passed;
      listener.ended(next.value, result);
    }
  };
  const together = parts.filter(({ alone }) => alone !== true).values();
  await Promise.all(Array.from({ length: atOnce }, () => inTurn(together)));
  await inTurn(parts.filter(({ alone }) => alone === true).values());
  return allPassed;
}
