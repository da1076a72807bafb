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
    }
    await makeLast(path, mode);
  }
}

/** Makes a folder below one that is there, unless somebody else does. */
async function makeLast(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (!(await isFolder(path))) {
      throw error;
    }
  }
}

/** Synchronous form of `makeFolder`, for a process that has nothing else to do yet. */
export function makeFolderSync(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (isAbsence(error) && !isFolderSync(dirname(path))) {
      makeFolderSync(dirname(path), mode);
    }
    makeLastSync(path, mode);
  }
}

function makeLastSync(path: string, mode: number): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!isFolderSync(path)) {
      throw error;
    }
  }
}

function isFolderSync(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
