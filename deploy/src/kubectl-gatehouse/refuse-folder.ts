import { stat } from "node:fs/promises";
import { CommandError } from "@gatehouse/component-base/errors";

/** Throws CommandError when a path is a folder: the system's error of reading one does not name it. */
export async function refuseFolder(path: string): Promise<void> {
  // What cannot be asked about is left to the error of opening it.
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new CommandError(`${path} is a folder; name a file in it`);
  }
}
