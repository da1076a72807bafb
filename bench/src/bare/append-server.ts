import { readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificates } from "../certificates.js";
import { serveOperations } from "../processes/operations.js";

/** Operations of the bare append server. */
export interface AppendServerOperations {
  /** Resolves to the port. */
  readonly listen: (options: { readonly certificates: Certificates; readonly file: string }) => Promise<number>;
  readonly [name: string]: (argument: never) => unknown;
}

/** Appends bodies to a file; those that come while one flush is under way share the next one. */
class SharedFlush {
  readonly #file: FileHandle;
  #waiting: { readonly body: Buffer; readonly done: () => void }[] = [];
  #isFlushing = false;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  append(body: Buffer): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ body, done });
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    if (this.#isFlushing) {
      return;
    }
    this.#isFlushing = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#file.writev(group.map(({ body }) => body));
      await this.#file.datasync();
      for (const { done } of group) {
        done();
      }
    }
    this.#isFlushing = false;
  }
}

const operations: AppendServerOperations = {
  async listen({ certificates, file }) {
    const flush = new SharedFlush(await open(file, "a"));
    const options = {
      ca: readFileSync(certificates.caFile),
      cert: readFileSync(certificates.certFile),
      key: readFileSync(certificates.keyFile),
      requestCert: true,
      rejectUnauthorized: false,
    };
    const server = createServer(options, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks);
        const { items } = JSON.parse(body.toString()) as { readonly items: readonly unknown[] };
        void flush.append(body).then(() => {
          response.writeHead(items.length > 0 ? 200 : 400, { "Content-Length": 0 }).end();
        });
      });
    });
    return await new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  },
};

// The limit of what Node can do with batches of events that must be durable: it parses each, appends it, and shares fsync.
serveOperations(operations);
