import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificates } from "../certificates.js";
import { serveOperations } from "../processes/operations.js";

/**
 * The limit of what Node's own HTTPS server can do with the same bytes: no routing, no decisions, nothing but the write.
 * A process of its own, like the server it is compared with.
 */
export interface BareRoute {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with every answer; in pieces of `chunkBytes` when given, at the client's pace. */
  readonly body?: Buffer;
  readonly chunkBytes?: number;
  /** The answer stays open; `writeFrames` writes to all of them. */
  readonly stream?: boolean;
}

const routes = new Map<string, BareRoute>();
const streams = new Set<ServerResponse>();
let writing = false;

function answer(path: string, response: ServerResponse): void {
  const route = routes.get(path);
  if (route === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, route.headers);
  if (route.stream === true) {
    response.flushHeaders();
    streams.add(response);
    response.once("close", () => streams.delete(response));
  } else if (route.body !== undefined && route.chunkBytes !== undefined) {
    writeChunks(response, route.body, route.chunkBytes, 0);
  } else {
    response.end(route.body);
  }
}

function writeChunks(response: ServerResponse, body: Buffer, chunkBytes: number, from: number): void {
  for (let at = from; at < body.length; at += chunkBytes) {
    if (!response.write(body.subarray(at, at + chunkBytes))) {
      response.once("drain", () => writeChunks(response, body, chunkBytes, at + chunkBytes));
      return;
    }
  }
  response.end();
}

/** Writes a frame to every stream, again and again, as fast as the slowest of them takes it. */
async function writeFrames(frame: Buffer): Promise<void> {
  writing = true;
  while (writing) {
    const full: Promise<void>[] = [];
    for (const stream of streams) {
      if (!stream.write(frame)) {
        full.push(drained(stream));
      }
    }
    await (full.length > 0 ? Promise.all(full) : new Promise((resolve) => setImmediate(resolve)));
  }
}

function drained(stream: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    stream.once("drain", resolve);
    stream.once("close", resolve);
  });
}

const operations = {
  listen(certificates: Certificates): Promise<number> {
    const server = createServer(
      {
        ca: readFileSync(certificates.caFile),
        cert: readFileSync(certificates.certFile),
        key: readFileSync(certificates.keyFile),
        requestCert: true,
        rejectUnauthorized: false,
      },
      (request, response) => answer(request.url ?? "/", response),
    );
    return new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  },
  serve(route: BareRoute): void {
    routes.set(route.path, route);
  },
  startWriting(frame: Buffer): void {
    void writeFrames(frame);
  },
  stopWriting(): void {
    writing = false;
  },
};

export type BareServerOperations = typeof operations;

serveOperations(operations);
