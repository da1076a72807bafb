import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { makeFolder, writeFileAtomic } from "@gatehouse/component-base/files";
import { problemAt } from "@gatehouse/component-base/problems";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** Name of the folder with the positions of pipelines, in that of the log. */
export const pipelinesFolder = "pipelines";

/** The saved progress of a pipeline. */
export interface SavedPosition {
  /** Position of the next event to deliver. */
  readonly position: number;
  /** State of the output. */
  readonly state: JsonValue | undefined;
}

/** The file in which a pipeline keeps how far it has come. */
export class PositionFile {
  readonly #path: string;

  /** `directory` is that of the log. */
  constructor(directory: string, pipeline: string) {
    this.#path = join(directory, pipelinesFolder, `${pipeline}.json`);
  }

  /** Reads the file; undefined when the pipeline is new. Throws ConfigurationError when the file is damaged. */
  async read(): Promise<SavedPosition | undefined> {
    let text: string;
    try {
      text = await readFile(this.#path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") {
        return undefined;
      }
      throw error;
    }
    const saved = parse(text);
    const position = isJsonObject(saved) ? saved["position"] : undefined;
    if (!isJsonObject(saved) || typeof position !== "number" || !Number.isSafeInteger(position) || position < 0) {
      throw new ConfigurationError(this.#path, [
        problemAt("position", "cannot be read; without the file, the pipeline begins anew"),
      ]);
    }
    return { position, state: saved["state"] };
  }

  async write({ position, state }: SavedPosition): Promise<void> {
    await makeFolder(join(this.#path, ".."), 0o700);
    await writeFileAtomic(this.#path, JSON.stringify({ position, state } as JsonObject), { mode: 0o600 });
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
