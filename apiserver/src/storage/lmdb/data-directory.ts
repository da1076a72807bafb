import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolderSync } from "@gatehouse/component-base/files";
import { StoreUnusableError } from "../../errors/errors.js";
import { dataFileName } from "./data-file.js";

/** The folder in a data directory that a restore writes to. It is gone when the restore has ended well. */
export const unfinishedRestoreName = "restore.unfinished";

/**
 * Returns the real path of a data directory. Creates it, for its owner only, when it is absent and not only to be read.
 * Throws StoreUnusableError, also for a directory whose restore has not ended: it would be taken for a new one.
 */
export function prepareDirectory(
  directory: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): string {
  const isThere = existsSync(join(directory, dataFileName));
  if (readOnly && !isThere) {
    throw new StoreUnusableError(`no API server has stored anything in "${directory}": it holds no ${dataFileName}`);
  }
  if (!isThere && existsSync(join(directory, unfinishedRestoreName))) {
    throw new StoreUnusableError(
      `a restore into the data directory "${directory}" has not ended; run it again, or remove ${unfinishedRestoreName} there`,
    );
  }
  try {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw new Error("it is not a directory");
    }
    makeFolderSync(directory, 0o700);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(directory);
  } catch (error) {
    throw new StoreUnusableError(`the data directory "${directory}" cannot be used (${(error as Error).message})`, {
      cause: error,
    });
  }
}
