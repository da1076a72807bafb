import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "../start-error.js";

/**
 * The script behind a command of a package. Not through npm's shims: one process less between us and what we start, and
 * signals arrive where they should. Throws StartError when the package has no such command.
 */
export async function findProgram(packageName: string, command: string): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve(packageName));
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
    const manifest: unknown = text === undefined ? undefined : JSON.parse(text);
    const script = scriptOf(manifest, command);
    if (script !== undefined) {
      return resolve(folder, script);
    }
  }
  throw new StartError(`the package ${packageName} has no command ${command}; run npm ci again.`);
}

function scriptOf(manifest: unknown, command: string): string | undefined {
  if (typeof manifest !== "object" || manifest === null || !("bin" in manifest)) {
    return undefined;
  }
  const { bin } = manifest;
  const entry =
    typeof bin === "object" && bin !== null ? Object.entries(bin).find(([name]) => name === command) : undefined;
  return typeof entry?.[1] === "string" ? entry[1] : undefined;
}
