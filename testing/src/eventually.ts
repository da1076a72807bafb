import { setTimeout as wait } from "node:timers/promises";

/** Tries again until the assertion holds, or throws what it threw last. */
export async function eventually(assertion: () => void | Promise<void>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
      await wait(10);
    }
  }
}
