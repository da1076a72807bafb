import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { auditV1 } from "@gatehouse/envelopes/types";

/** The length of a block of events in memory, in characters of their JSON. */
const blockLength = 4 * 1024 * 1024;

/** The place of a block in the file. */
interface Block {
  readonly start: number;
  readonly length: number;
}

/**
 * Events that come latest first and are read oldest first. They lie in a file without a name, which nobody else can open and
 * which is gone with the process; in memory there is one block of them.
 */
export class EventSpool implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #blocks: Block[] = [];
  #pending: string[] = [];
  #pendingLength = 0;
  #end = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(): Promise<EventSpool> {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-replay-"));
    try {
      return new EventSpool(await open(join(folder, "events"), "wx+", 0o600));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** Adds an event that is older than all before it. */
  async add(event: auditV1.Event): Promise<void> {
    const line = JSON.stringify(event);
    this.#pending.push(line);
    this.#pendingLength += line.length;
    if (this.#pendingLength >= blockLength) {
      await this.#writeBlock();
    }
  }

  /** Yields all events, the oldest first. No event is added afterwards. */
  async *oldestFirst(): AsyncGenerator<auditV1.Event, void> {
    yield* this.#pending.toReversed().map(parsed);
    for (const { start, length } of this.#blocks.toReversed()) {
      const bytes = Buffer.alloc(length);
      for (let filled = 0; filled < length; ) {
        const { bytesRead } = await this.#file.read(bytes, filled, length - filled, start + filled);
        if (bytesRead === 0) {
          throw new Error("the file of events has been cut short");
        }
        filled += bytesRead;
      }
      yield* bytes.toString().split("\n").map(parsed);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  /** Writes the pending events as lines, the oldest first. */
  async #writeBlock(): Promise<void> {
    const bytes = Buffer.from(this.#pending.toReversed().join("\n"));
    await this.#file.appendFile(bytes);
    this.#blocks.push({ start: this.#end, length: bytes.length });
    this.#end += bytes.length;
    this.#pending = [];
    this.#pendingLength = 0;
  }
}

function parsed(line: string): auditV1.Event {
  return JSON.parse(line) as auditV1.Event;
}
