import { readFile } from "node:fs/promises";
import { ensureConfiguration } from "./parts/ensure-configuration.js";

/** Writes what deployments begin with, a file of `deploy/config`, unless there is a configuration already. */
export async function ensureDefaultConfiguration(path: string, name: string): Promise<void> {
  // Beside this folder, whether this is compiled or bundled.
  await ensureConfiguration(path, await readFile(new URL(`../config/${name}`, import.meta.url), "utf8"));
}
