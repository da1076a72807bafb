import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "@gatehouse/component-base/files";
import { systemErrorCode } from "../start-error.js";

/** Writes a configuration unless there is one: what people have changed stays as they want it. */
export async function ensureConfiguration(path: string, text: string): Promise<void> {
  try {
    await readFile(path);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") {
      throw error;
    }
    await writeFileAtomic(path, text, { mode: 0o600 });
  }
}
