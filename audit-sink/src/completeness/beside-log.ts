import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { parseChunkName } from "../index-store/chunk-file.js";
import { pipelinesFolder } from "../pipelines/position-file.js";
import { sourcesName } from "./completeness.js";

/** A file that was written when the log had reached a position. */
export interface LogWitness {
  readonly file: string;
  /** Position noted in the file; undefined when the file cannot be read. */
  readonly position: number | undefined;
}

/** Folders of a sink whose files know how far the log had come. */
export interface WitnessFolders {
  readonly logDirectory: string;
  /** Undefined to leave the index out. */
  readonly indexDirectory?: string | undefined;
}

/**
 * Reads how far the log had come by the files beside it: what is known of sources, the positions of pipelines, and the index.
 * Rejects when a folder cannot be read.
 */
export async function readWitnesses({ logDirectory, indexDirectory }: WitnessFolders): Promise<readonly LogWitness[]> {
  const pipelines = await namesIn(join(logDirectory, pipelinesFolder));
  const files = [
    ...(await namesIn(logDirectory)).filter((name) => name === sourcesName).map((name) => join(logDirectory, name)),
    ...pipelines.filter((name) => name.endsWith(".json")).map((name) => join(logDirectory, pipelinesFolder, name)),
  ];
  const chunks = indexDirectory === undefined ? [] : await readdir(indexDirectory);
  return [
    ...(await Promise.all(files.map(async (file) => ({ file, position: await positionIn(file) })))),
    ...chunks.flatMap((name) => {
      const chunk = parseChunkName(name);
      return chunk === undefined ? [] : [{ file: join(indexDirectory ?? "", name), position: chunk.endPosition }];
    }),
  ];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && basename(folder) === pipelinesFolder) {
      return [];
    }
    throw error;
  }
}

async function positionIn(file: string): Promise<number | undefined> {
  const text = await readFile(file, "utf8");
  try {
    const saved = JSON.parse(text) as JsonValue;
    const position = isJsonObject(saved) ? saved["position"] : undefined;
    return typeof position === "number" && Number.isSafeInteger(position) && position >= 0 ? position : undefined;
  } catch {
    return undefined;
  }
}
