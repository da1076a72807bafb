import { write } from "node:fs";
import { Socket } from "node:net";

const standardOutputFd = 1;

/** A place for lines of data that neither ends the process nor holds it up. */
export interface LineOutput {
  /**
   * Writes lines, those of one call after those of another. Resolves when the system has taken all of them. Rejects with
   * the system's error when it has not: a disk that is full may have space again, the reader of a pipe is gone for good.
   */
  write(lines: Uint8Array): Promise<void>;
}

class StandardOutput implements LineOutput {
  /** Found out by the first write, since few processes ever write. */
  #isFile: boolean | undefined;
  #last: Promise<void> = Promise.resolve();
  /** A write to a file has failed in its middle: what comes next begins on a line of its own. */
  #isCut = false;
  #isListening = false;

  write(lines: Uint8Array): Promise<void> {
    this.#isFile ??= isFile();
    const done = this.#last.then(() => (this.#isFile ? this.#writeToFile(lines) : this.#writeToStream(lines)));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** `process.stdout` writes to a file on the main thread, and never again after an error. */
  async #writeToFile(lines: Uint8Array): Promise<void> {
    let rest = this.#isCut ? Buffer.concat([Buffer.from("\n"), lines]) : lines;
    const { length } = rest;
    while (rest.length > 0) {
      rest = rest.subarray(await writeOnce(rest));
      this.#isCut = rest.length > 0 && rest.length < length;
    }
  }

  #writeToStream(lines: Uint8Array): Promise<void> {
    if (!this.#isListening) {
      this.#isListening = true;
      // Whoever writes is told of errors. Without a listener they would end the process.
      process.stdout.on("error", () => undefined);
    }
    return new Promise((resolve, reject) => {
      process.stdout.write(lines, (error) => (error == null ? resolve() : reject(error)));
    });
  }
}

/**
 * Tells whether standard output is anything but a pipe, a socket or a terminal. Asks no stat of the file descriptor: Node 20
 * leaves the values of a stat where its `realpathSync` reads them, and after those of a pipe no link is resolved.
 */
function isFile(): boolean {
  return !(process.stdout instanceof Socket);
}

/** Resolves to the number of bytes that were taken. */
function writeOnce(data: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(standardOutputFd, data, 0, data.length, null, (error, written) => {
      if (error === null) {
        resolve(written);
      } else {
        reject(error);
      }
    });
  });
}

/** Standard output of this process, for data such as events. What is said to people goes through `CommandIo`. */
export const standardOutput: LineOutput = new StandardOutput();
