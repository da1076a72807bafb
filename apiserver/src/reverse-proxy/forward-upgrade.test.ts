import assert from "node:assert/strict";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { before, describe, it } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import {
  type BackendHandler,
  startBackend,
  startFront,
  type TestBackend,
  type TestCertificates,
  testCertificates,
} from "./peers.test.support.js";

let certificates: TestCertificates;
before(async () => {
  certificates = await testCertificates();
});

const refuse: BackendHandler = (_request, response) => {
  response.writeHead(403, { "Content-Type": "text/plain", "Content-Length": 7 }).end("go away");
};

/** Starts a backend that changes the protocol; `talk` gets the changed connection. */
async function startTalker(protocol: "http" | "https", talk: (socket: Duplex) => void): Promise<TestBackend> {
  const peer = await startBackend(protocol, certificates, refuse);
  peer.server.on("upgrade", (request, socket: Duplex, head: Buffer) => {
    (socket as TLSSocket).allowHalfOpen = true;
    socket.on("error", () => {});
    socket.unshift(head);
    socket.write(`HTTP/1.1 101 Yes\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\nX-Up: 1\r\n\r\n`);
    talk(socket);
  });
  return peer;
}

function connectTo(port: number, text: string): TLSSocket {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
  socket.allowHalfOpen = true;
  socket.on("error", () => {});
  socket.write(text);
  return socket;
}

const ask = "GET /exec?a=b HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n";

/** Reads until `end` has been seen, or the connection is closed. */
function read(socket: Duplex, end?: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const look = (): void => {
      for (let piece = socket.read() as Buffer | null; piece !== null; piece = socket.read() as Buffer | null) {
        text += piece.toString("latin1");
      }
      if (end === undefined ? socket.readableEnded || socket.destroyed : text.includes(end)) {
        for (const event of events) {
          socket.off(event, look);
        }
        resolve(text);
      }
    };
    for (const event of events) {
      socket.on(event, look);
    }
    look();
  });
}

const events = ["readable", "end", "close"] as const;

describe("A forwarded request for another protocol", () => {
  for (const protocol of ["http", "https"] as const) {
    it(`carries bytes both ways, and what is sent along with the request, to a backend of ${protocol}`, async () => {
      await using peer = await startTalker(protocol, (socket) => {
        socket.on("data", (piece: Buffer) => socket.write(piece.toString().toUpperCase()));
      });
      await using front = await startFront(peer.backend, certificates);
      const client = connectTo(front.port, `${ask}early `);
      const head = await read(client, "EARLY ");
      assert.match(head, /^HTTP\/1\.1 101 Yes\r\nConnection: Upgrade\r\nUpgrade: SPDY\/3\.1\r\nX-Up: 1\r\n\r\nEARLY $/);
      client.write("late");
      assert.equal(await read(client, "LATE"), "LATE");
      client.destroy();
    });

    it(`passes the end of one direction on while the other goes on, to a backend of ${protocol}`, async () => {
      await using peer = await startTalker(protocol, (socket) => {
        let text = "";
        socket.on("data", (piece: Buffer) => {
          text += piece.toString();
        });
        socket.once("end", () => socket.end(`all of ${text}`));
      });
      await using front = await startFront(peer.backend, certificates);
      const client = connectTo(front.port, ask);
      await read(client, "\r\n\r\n");
      client.end("it");
      assert.equal(await read(client), "all of it");
    });
  }

  it("is held up by a reader that takes nothing, and loses nothing", async () => {
    const size = 64 * 1024 * 1024;
    let written = 0;
    await using peer = await startTalker("https", (socket) => {
      const piece = Buffer.alloc(64 * 1024, "x");
      const write = (): void => {
        while (written < size) {
          written += piece.length;
          if (!socket.write(piece)) {
            socket.once("drain", write);
            return;
          }
        }
        socket.end();
      };
      write();
    });
    await using front = await startFront(peer.backend, certificates);
    const client = connectTo(front.port, ask);
    const head = await read(client, "\r\n\r\n");
    for (let before = -1; before !== written; await new Promise((resolve) => setTimeout(resolve, 100))) {
      before = written;
    }
    assert.ok(written < size, "the backend could send everything to a client that reads nothing");
    let taken = head.length - head.indexOf("\r\n\r\n") - 4;
    for await (const piece of client) {
      taken += (piece as Buffer).length;
    }
    assert.equal(taken, size);
  });

  it("ends on both sides when either goes away", async () => {
    for (const isClient of [true, false]) {
      let backendSide: Duplex | undefined;
      await using peer = await startTalker("http", (socket) => {
        backendSide = socket;
        socket.resume();
      });
      await using front = await startFront(peer.backend, certificates);
      const client = connectTo(front.port, ask);
      await read(client, "\r\n\r\n");
      client.resume();
      const [gone, left] = isClient ? [client, backendSide as Duplex] : [backendSide as Duplex, client];
      const closed = once(left, "close");
      gone.destroy();
      left.once("end", () => left.end());
      await closed;
      while (front.ended() === 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  });

  it("ends when one direction has ended and nothing comes in the other", async () => {
    await using peer = await startTalker("http", (socket) => socket.resume());
    await using front = await startFront(peer.backend, certificates, { halfOpenIdleMs: 20 });
    const client = connectTo(front.port, ask);
    await read(client, "\r\n\r\n");
    client.end();
    client.resume();
    await once(client, "close");
  });

  it("is cancelled when its client goes away before the backend has agreed", async () => {
    const peer = await startBackend("http", certificates, refuse);
    await using _ = peer;
    const { promise, resolve } = withResolvers();
    const arrived = withResolvers();
    peer.server.on("upgrade", (_request, socket: Duplex) => {
      socket.resume().once("end", resolve);
      arrived.resolve();
    });
    await using front = await startFront(peer.backend, certificates);
    const client = connectTo(front.port, ask);
    await arrived.promise;
    client.destroy();
    await promise;
  });

  it("gets the answer of a backend that refuses", async () => {
    await using peer = await startBackend("http", certificates, refuse);
    await using front = await startFront(peer.backend, certificates);
    const text = await read(connectTo(front.port, ask));
    assert.match(text, /^HTTP\/1\.1 403 Forbidden\r\n/);
    assert.match(text, /\r\n\r\ngo away$/);
  });

  it("fails at a backend that answers as if nothing had been asked", async () => {
    await using peer = await startBackend("http", certificates, (_request, response) => response.end("hello"));
    await using front = await startFront(peer.backend, certificates);
    assert.match(await read(connectTo(front.port, ask)), /\r\n\r\ninvalid upgrade response: status code 200$/);
  });

  it("fails at a backend that closes the connection", async () => {
    const peer = await startBackend("http", certificates, refuse);
    await using _ = peer;
    peer.server.on("upgrade", (_request, socket: Duplex) => socket.destroy());
    await using front = await startFront(peer.backend, certificates);
    assert.match(await read(connectTo(front.port, ask)), /^HTTP\/1\.1 503 /);
  });

  for (const [name, framing] of [
    ["a length", "Content-Length: 4\r\n\r\nbody"],
    ["chunks", "Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n"],
  ] as const) {
    it(`is declined, and answered as any other, if it has a body with ${name}`, async () => {
      await using peer = await startBackend("http", certificates, (request, response) => {
        const upgrade = String(request.headers.upgrade);
        let text = "";
        request.on("data", (piece: Buffer) => {
          text += piece.toString();
        });
        request.once("end", () => response.end(`${text} of ${request.url} ${upgrade}`));
      });
      await using front = await startFront(peer.backend, certificates);
      const head = "Host: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n";
      const client = connectTo(front.port, `POST /a HTTP/1.1\r\n${head}${framing}`);
      assert.match(await read(client, "undefined"), /body of \/a undefined/);
      client.write(`POST /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${framing}`);
      assert.match(await read(client), /body of \/b undefined/);
    });
  }
});

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
