import type { CommandIo } from "../commands/index.js";
import { Changes } from "../file-changes/index.js";
import { runUntilSignal } from "../shutdown/index.js";

const endMs = 10_000;

/**
 * Checks, and again after each change of the paths, until a signal ends the process with code 0. Rejects when the first check
 * does; mistakes of later ones are told, and may be mended by the next change.
 */
export async function checkOnChanges(
  paths: readonly string[],
  check: () => Promise<number>,
  io: CommandIo,
): Promise<number> {
  const watching = new AbortController();
  // The watch begins before the first check, so that no change is missed.
  const changes = await Changes.watch(paths, watching.signal, (error) =>
    io.printError(`changes may be missed from now on: ${messageOf(error)}`),
  );
  try {
    await check();
  } catch (error) {
    watching.abort();
    throw error;
  }
  const work = changes.follow(async () => {
    io.printError("something has changed, checking again");
    await check().catch((error: unknown) => io.printError(messageOf(error)));
  });
  await runUntilSignal({
    process: io.process,
    deadlineMs: endMs,
    tasks: [
      {
        name: "watch",
        async drain() {
          watching.abort();
          await work;
        },
      },
    ],
  });
  return 0;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
