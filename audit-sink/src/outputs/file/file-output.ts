import { constants } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, syncDirectory } from "@gatehouse/component-base/files";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { FileOutputConfig } from "../../config/output-config.js";
import { documentLines } from "../event-document.js";
import { allDelivered, type Delivered, type Output, type OutputBatch, type OutputContext } from "../output.js";
import { FullFiles } from "./full-files.js";

/** The file that is being written. */
interface OpenFile {
  readonly handle: FileHandle;
  /** Inode, by which the file is recognized after a restart, or after it was renamed. */
  readonly inode: number;
  /** Whole, delivered lines end here. */
  length: number;
  /** Time of its first line, in milliseconds since 1970. */
  readonly begun: number;
}

const newline = Buffer.from("\n");

/**
 * Writes events to a file, one a line, and begins another when that is full or old. An event counts as delivered when it is
 * on disk. What a crash has left behind the last saved state is cut off before it comes again, so each event stands there
 * once.
 */
export async function openFileOutput(config: FileOutputConfig, context: OutputContext): Promise<Output> {
  await makeFolder(dirname(config.path), 0o750);
  const output = new FileOutput(config, context);
  await output.resume(context.state);
  return output;
}

class FileOutput implements Output {
  readonly #config: FileOutputConfig;
  readonly #context: OutputContext;
  readonly #full: FullFiles;
  #file: OpenFile | undefined;
  /** The file is about to get another name: if it has it after a restart, what stands in a new one is to come again. */
  #isRotating = false;
  /** True if a failed write may have left bytes behind the end. */
  #isDirty = false;
  /** The file has been opened where the saved state does not tell: after a crash, nothing would be cut off. */
  #isUnknown = false;

  constructor(config: FileOutputConfig, context: OutputContext) {
    this.#config = config;
    this.#context = context;
    this.#full = new FullFiles(config);
  }

  /** Finds the file again as the state tells, and cuts off what will come again. */
  async resume(state: JsonValue | undefined): Promise<void> {
    const saved = readState(state);
    this.#full.tidy();
    const inode = await inodeOf(this.#config.path);
    if (saved === undefined) {
      return;
    }
    if (inode === saved.inode) {
      await this.#openAt(saved.length, saved.begun);
    } else if (saved.isRotating) {
      // It got its new name, and may be packed since; what stands in the one after it was not saved.
      await this.#openAt(0, Date.now());
    }
    // Else somebody has moved the file, and another one begins, or is gone on with.
  }

  async deliver({ events, bytes }: OutputBatch): Promise<Delivered> {
    let file = await this.#currentFile();
    const isFull = file.length + bytes + events.length > this.#config.maxBytes;
    if (file.length > 0 && (isFull || Date.now() - file.begun >= this.#config.maxAgeMs)) {
      file = await this.#rotate(file);
    }
    if (this.#isUnknown) {
      await this.#context.saveState();
      this.#isUnknown = false;
    }
    this.#isDirty = true;
    const end = await writeLines(file, events);
    await file.handle.datasync();
    file.length = end;
    this.#isDirty = false;
    return allDelivered;
  }

  state(): JsonObject {
    const file = this.#file;
    return file === undefined
      ? {}
      : {
          inode: file.inode,
          length: file.length,
          begun: file.begun,
          isRotating: this.#isRotating,
        };
  }

  async close(): Promise<void> {
    await this.#file?.handle.close();
    this.#file = undefined;
    await this.#full.idle();
  }

  async #currentFile(): Promise<OpenFile> {
    const file = this.#file;
    if (file !== undefined && (await inodeOf(this.#config.path)) === file.inode) {
      if (this.#isDirty) {
        await file.handle.truncate(file.length);
        this.#isDirty = false;
      }
      return file;
    }
    // Somebody has moved or removed the file, as programs that rotate logs do.
    await file?.handle.close();
    this.#file = undefined;
    this.#isUnknown = true;
    return await this.#openAt(undefined, Date.now());
  }

  /** Opens the file, which goes on at `length`: at its end when not given. */
  async #openAt(length: number | undefined, begun: number): Promise<OpenFile> {
    const handle = await open(this.#config.path, constants.O_RDWR | constants.O_CREAT, 0o640);
    try {
      const { ino: inode, size } = await handle.stat();
      await syncDirectory(dirname(this.#config.path));
      if (length !== undefined && size > length) {
        await handle.truncate(length);
      }
      const end = Math.min(size, length ?? size);
      this.#file = { handle, inode, length: await endOfLine(handle, end), begun };
      this.#isDirty = false;
      return this.#file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #rotate(file: OpenFile): Promise<OpenFile> {
    const name = await this.#full.nextName();
    this.#isRotating = true;
    // From here on, a crash finds the file under one of the two names.
    await this.#context.saveState();
    await rename(this.#config.path, name);
    await file.handle.close();
    this.#file = undefined;
    const next = await this.#openAt(0, Date.now());
    this.#isRotating = false;
    this.#full.tidy();
    return next;
  }
}

interface SavedState {
  readonly inode: number;
  readonly length: number;
  readonly begun: number;
  readonly isRotating: boolean;
}

function readState(state: JsonValue | undefined): SavedState | undefined {
  if (!isJsonObject(state)) {
    return undefined;
  }
  const { inode, length, begun, isRotating } = state;
  return typeof inode === "number" && typeof length === "number" && typeof begun === "number"
    ? { inode, length, begun, isRotating: isRotating === true }
    : undefined;
}

async function inodeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

/** Returns the offset of the next line. A last line that another program has left unfinished is ended first. */
async function endOfLine(handle: FileHandle, end: number): Promise<number> {
  if (end === 0) {
    return 0;
  }
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, end - 1);
  if (buffer.equals(newline)) {
    return end;
  }
  await handle.write(newline, 0, 1, end);
  return end + 1;
}

/** Returns where the lines end. */
async function writeLines({ handle, length }: OpenFile, events: OutputBatch["events"]): Promise<number> {
  const text = documentLines(events);
  let written = 0;
  while (written < text.length) {
    const { bytesWritten } = await handle.write(text, written, text.length - written, length + written);
    written += bytesWritten;
  }
  return length + written;
}
