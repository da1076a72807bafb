import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { makeFolderSync } from "@gatehouse/component-base/files";
import { StoreUnusableError } from "../../errors/errors.js";

/** Creates the directory, for its owner only, when absent. Answers its real path. Throws StoreUnusableError. */
export function prepareDirectory(directory: string): string {
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
