import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { lockDirectory, makeFolder, syncDirectory, writeFileAtomic } from "@gatehouse/component-base/files";

/** Events of one file, numbered from `first` on without a gap: one a line, as JSON. */
export interface Segment {
  readonly first: number;
  readonly path: string;
  /** Bytes that are whole lines. */
  bytes: number;
  lines: number;
}

/** The contents of a spool when it is opened. */
export interface SpoolState {
  /** The identifier of the numbering: the numbers continue as long as it stays. */
  readonly source: string;
  /** The segments with undelivered events, the oldest first. */
  readonly segments: Segment[];
  /** The number of the first undelivered event. */
  readonly delivered: number;
  /** The number of the next event. */
  readonly next: number;
}

const segmentName = /^(\d{16})\.events$/;

/**
 * The files of a spool: `source`, `position` (the number of the first event that has not been delivered) and segments,
 * named by the number of their first event; an empty one at the end tells the next number. One server at a time uses a
 * folder.
 */
export class SpoolDirectory implements AsyncDisposable {
  readonly #directory: string;
  #lock: AsyncDisposable | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Makes the folder if need be, and finds out what it holds. A line that was cut short is taken back. Rejects with
   * DirectoryInUseError while another server uses the folder.
   */
  async open(): Promise<SpoolState> {
    await makeFolder(this.#directory, 0o700);
    this.#lock = await lockDirectory(this.#directory);
    try {
      return await this.#recover();
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Releases the folder for others. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lock?.[Symbol.asyncDispose]();
  }

  async #recover(): Promise<SpoolState> {
    await this.#removeUnfinished();
    const segments = await this.#segments();
    const last = segments.at(-1);
    const position = Number(await this.#text("position"));
    const known = Number.isSafeInteger(position) && position > 0;
    const delivered = known ? position : (segments[0]?.first ?? 1);
    const next = Math.max(delivered, last === undefined ? 1 : last.first + last.lines);
    const source = await this.#source(known || segments.length > 0);
    const left = segments.filter(({ first, lines }) => lines > 0 && first + lines > delivered);
    // One that is empty tells the next number, if it is the last.
    const done = segments.filter((segment) => !left.includes(segment) && (segment !== last || last.first <= delivered));
    await Promise.all(done.map((segment) => this.remove(segment)));
    if (!known) {
      await this.savePosition(delivered);
    }
    return { source, segments: left, delivered, next };
  }

  /** Returns the stored source, or a new one if the numbers were lost and begin anew. */
  async #source(continues: boolean): Promise<string> {
    const known = continues ? (await this.#text("source")).trim() : "";
    if (/^[0-9a-f-]{36}$/.test(known)) {
      return known;
    }
    const source = randomUUID();
    await writeFileAtomic(join(this.#directory, "source"), `${source}\n`, { mode: 0o600 });
    return source;
  }

  async #text(name: string): Promise<string> {
    return await readFile(join(this.#directory, name), "utf8").catch(() => "");
  }

  async #segments(): Promise<Segment[]> {
    const names = (await readdir(this.#directory)).filter((name) => segmentName.test(name)).sort();
    const segments: Segment[] = [];
    for (const name of names) {
      const path = join(this.#directory, name);
      segments.push({ first: Number.parseInt(name, 10), path, ...(await measureLines(path)) });
    }
    return segments;
  }

  /** Returns a segment that begins with an event of this number; its file is made by its writer. */
  segment(first: number): Segment {
    const path = join(this.#directory, `${String(first).padStart(16, "0")}.events`);
    return { first, path, bytes: 0, lines: 0 };
  }

  /** Removes files of replacements that the end of a process has interrupted. */
  async #removeUnfinished(): Promise<void> {
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith(".tmp"));
    await Promise.all(names.map((name) => rm(join(this.#directory, name), { force: true })));
  }

  /** Makes the names of new segments durable. */
  async sync(): Promise<void> {
    await syncDirectory(this.#directory);
  }

  /** Renames a segment without events, so that it begins with another number. */
  async renumber(empty: Segment, first: number): Promise<Segment> {
    const segment = this.segment(first);
    await rename(empty.path, segment.path);
    return segment;
  }

  async savePosition(delivered: number): Promise<void> {
    await writeFileAtomic(join(this.#directory, "position"), `${delivered}\n`, { mode: 0o600 });
  }

  async remove({ path }: Segment): Promise<void> {
    await rm(path, { force: true });
  }
}

const chunkBytes = 1024 * 1024;

/** Counts the lines of a file, and cuts off what follows the last of them: it was being written when the process ended. */
async function measureLines(path: string): Promise<{ readonly bytes: number; readonly lines: number }> {
  const { size } = await stat(path);
  await using file = await open(path, "r+");
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let bytes = 0;
  let lines = 0;
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) {
      break;
    }
    for (let end = chunk.indexOf(10); end >= 0 && end < bytesRead; end = chunk.indexOf(10, end + 1)) {
      bytes = at + end + 1;
      lines++;
    }
    at += bytesRead;
  }
  if (bytes < size) {
    await file.truncate(bytes);
  }
  return { bytes, lines };
}
