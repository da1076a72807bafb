import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { describe, it } from "node:test";
import type { Exchange } from "../request/exchange.js";
import { SharedPiece } from "../request/shared-piece.js";
import { serveHttp1 } from "./http1-server.js";

async function serve(answer: (exchange: Exchange) => void): Promise<Server & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    serveHttp1(socket, ({ exchange }) => answer(exchange), 60_000);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(server, {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, "close");
    },
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function textOf(server: Server): Promise<string> {
  const [response] = (await once(get({ port: portOf(server), host: "127.0.0.1" }), "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

describe("pieces that many answers of HTTP/1.1 share", () => {
  it("arrive in order between pieces of one answer alone, and the answer ends", async () => {
    const shared = new SharedPiece(Buffer.from("shared"));
    await using server = await serve((exchange) => {
      exchange.begin(200, []);
      exchange.writeShared(shared);
      exchange.write(Buffer.from(" own "));
      exchange.writeShared(shared);
      exchange.write(Buffer.from(" own "));
      setImmediate(() => {
        exchange.writeShared(shared);
        assert.equal(exchange.sentBytes, 28);
        exchange.end();
      });
    });
    assert.equal(await textOf(server), "shared own shared own shared");
    assert.equal(await textOf(server), "shared own shared own shared");
  });

  it("make the writer wait for a client that does not read, and lose nothing", async () => {
    const pieces = Array.from({ length: 400 }, (_, i) => new SharedPiece(Buffer.alloc(32 * 1024, String(i % 10))));
    let waits = 0;
    await using server = await serve((exchange) => {
      exchange.begin(200, []);
      exchange.flush();
      const write = (from: number): void => {
        for (let i = from; i < pieces.length; i++) {
          if (!exchange.writeShared(pieces[i] as SharedPiece)) {
            waits++;
            exchange.whenDrained(() => write(i + 1));
            return;
          }
        }
        exchange.end();
      };
      write(0);
    });
    const text = await textOf(server);
    assert.ok(waits > 1, "the socket took everything at once");
    assert.equal(text, pieces.map(({ bytes }) => bytes.toString()).join(""));
  });

  it("go without a frame to a client of HTTP/1.0, which knows no chunks", async () => {
    await using server = await serve((exchange) => {
      exchange.begin(200, []);
      exchange.writeShared(new SharedPiece(Buffer.from("shared")));
      exchange.end();
    });
    const socket = connect(portOf(server), "127.0.0.1");
    socket.write("GET / HTTP/1.0\r\n\r\n");
    let text = "";
    for await (const chunk of socket) {
      text += String(chunk);
    }
    assert.match(text, /\r\n\r\nshared$/);
  });
});
