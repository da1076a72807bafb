import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setImmediate as nextRound } from "node:timers/promises";
import { open, type RootDatabase } from "lmdb";
import type { Certificates } from "../certificates.js";
import { serveOperations } from "../processes/operations.js";

/** Operations of the bare server for creates. */
export interface CreateServerOperations {
  /** Resolves to the port. */
  readonly listen: (options: { readonly certificates: Certificates; readonly directory: string }) => Promise<number>;
  readonly [name: string]: (argument: never) => unknown;
}

interface Pending {
  readonly key: string;
  readonly value: Buffer;
  readonly done: () => void;
}

/** Maximum number of rounds of the event loop to wait for more writers, as many as Gatehouse waits. */
const gatherRounds = 8;

/** Writes what has gathered while the transaction before was being flushed, as one transaction. */
class GroupedPuts {
  readonly #database: RootDatabase<Buffer, string>;
  #waiting: Pending[] = [];
  #isWriting = false;

  constructor(directory: string) {
    this.#database = open<Buffer, string>({ path: directory, encoding: "binary", overlappingSync: false });
  }

  /** Resolves when the value is on disk. */
  put(key: string, value: Buffer): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ key, value, done });
      if (!this.#isWriting) {
        void this.#write();
      }
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const group = this.#waiting;
      this.#waiting = [];
      await this.#database.childTransaction(() => {
        for (const { key, value } of group) {
          this.#database.putSync(key, value);
        }
      });
      for (const { done } of group) {
        done();
      }
    }
    this.#isWriting = false;
  }

  async #gather(): Promise<void> {
    for (let round = 0, size = 0; round < gatherRounds && size < this.#waiting.length; round++) {
      size = this.#waiting.length;
      await nextRound();
    }
  }
}

interface Created {
  readonly metadata: { readonly name: string; uid?: string; creationTimestamp?: string; resourceVersion?: string };
}

const operations: CreateServerOperations = {
  async listen({ certificates, directory }) {
    const puts = new GroupedPuts(directory);
    const options = {
      ca: readFileSync(certificates.caFile),
      cert: readFileSync(certificates.certFile),
      key: readFileSync(certificates.keyFile),
      requestCert: true,
      rejectUnauthorized: false,
    };
    let version = 0;
    const server = createServer(options, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const object = JSON.parse(Buffer.concat(chunks).toString()) as Created;
        object.metadata.uid = randomUUID();
        object.metadata.creationTimestamp = new Date().toISOString();
        const value = Buffer.from(JSON.stringify(object));
        void puts.put(`/registry/configmaps/default/${object.metadata.name}`, value).then(() => {
          object.metadata.resourceVersion = String(++version);
          const answer = Buffer.from(JSON.stringify(object));
          response.writeHead(201, { "Content-Type": "application/json", "Content-Length": answer.length }).end(answer);
        });
      });
    });
    return await new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  },
};

// What one thread of Node needs for a durable create without doing anything that makes it one: no names, rules, owners,
// admission, caches or watches.
serveOperations(operations);
