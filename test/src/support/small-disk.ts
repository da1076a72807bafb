import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own that is soon full. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Takes all the space that is left. */
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
}

/** Mounts a file system of so many mebibytes; undefined where that may not be done (it takes Linux, and root). */
export async function smallDisk(mebibytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), "gatehouse-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", path], { stdio: "ignore" });
  } catch {
    await rm(path, { recursive: true, force: true });
    return undefined;
  }
  const filler = join(path, "filler");
  return {
    path,
    fill: () => fillWith(filler),
    free: () => rmSync(filler, { force: true }),
    [Symbol.asyncDispose]: async () => {
      execFileSync("umount", ["-l", path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}

function fillWith(filler: string): void {
  const file = openSync(filler, "a");
  try {
    for (const piece of [Buffer.alloc(64 * 1024), Buffer.alloc(512)]) {
      try {
        while (writeSync(file, piece) === piece.length) {
          // There was space for all of it.
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") {
          throw error;
        }
      }
    }
  } finally {
    closeSync(file);
  }
}
