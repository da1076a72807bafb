import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it that are missing; one that is there stays as it is. Throws what the system answers, also
 * where Node's `recursive` would try for ever: in /proc, which has no place for folders and says that the one above is missing.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (isAbsence(error) && !(await isFolder(dirname(path)))) {
      await makeFolder(dirname(path), mode);
      await makeFolder(path, mode);
    } else if (!(await isFolder(path))) {
      throw error;
    }
  }
}

/** Synchronous form of `makeFolder`, for a process that has nothing else to do yet. */
export function makeFolderSync(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (isAbsence(error) && statSync(dirname(path), { throwIfNoEntry: false }) === undefined) {
      makeFolderSync(dirname(path), mode);
      makeFolderSync(path, mode);
    } else if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw error;
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Reports whether an error says that there is no such file or folder. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
