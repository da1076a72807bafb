import { readFile, rm } from "node:fs/promises";
import { CommandError } from "@gatehouse/component-base/errors";
import { writeFileAtomic } from "@gatehouse/component-base/files";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** The position of a rewrite: per resource the last object that is done, or that all are. */
export class RewritePosition {
  readonly #file: string | undefined;
  readonly #lastKeys: Map<string, string>;

  private constructor(file: string | undefined, lastKeys: Map<string, string>) {
    this.#file = file;
    this.#lastKeys = lastKeys;
  }

  /** Reads the position of an earlier rewrite; the beginning where there is no file. Rejects for a file of another kind. */
  static async read(file: string | undefined): Promise<RewritePosition> {
    const text = file === undefined ? undefined : await readFile(file, "utf8").catch(ifThere);
    return new RewritePosition(file, text === undefined ? new Map() : keysIn(file as string, text));
  }

  /** Reports whether an object was done before. */
  isDone(resource: string, key: string): boolean {
    const last = this.#lastKeys.get(resource);
    return last !== undefined && (last === everything || Buffer.compare(Buffer.from(key), Buffer.from(last)) <= 0);
  }

  isWholeDone(resource: string): boolean {
    return this.#lastKeys.get(resource) === everything;
  }

  /** Notes that all objects up to this one are done; without a key, all of the resource. */
  async advance(resource: string, key: string = everything): Promise<void> {
    this.#lastKeys.set(resource, key);
    if (this.#file !== undefined) {
      await writeFileAtomic(this.#file, `${JSON.stringify(Object.fromEntries(this.#lastKeys), undefined, 2)}\n`, {
        mode: 0o600,
      });
    }
  }

  /** Removes the file: the next rewrite begins at the beginning. */
  async forget(): Promise<void> {
    if (this.#file !== undefined) {
      await rm(this.#file, { force: true });
    }
  }
}

/** No object has this key. */
const everything = "*";

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") {
    throw error;
  }
}

function keysIn(file: string, text: string): Map<string, string> {
  let content: JsonValue;
  try {
    content = JSON.parse(text) as JsonValue;
  } catch {
    throw new CommandError(`${file} does not hold the position of a rewrite`);
  }
  const entries = isJsonObject(content) ? Object.entries(content) : [["", undefined]];
  if (entries.some(([, key]) => typeof key !== "string")) {
    throw new CommandError(`${file} does not hold the position of a rewrite`);
  }
  return new Map(entries as [string, string][]);
}
