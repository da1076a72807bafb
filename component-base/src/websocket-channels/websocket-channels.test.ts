import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { acceptWebSocketChannels, type ChannelConnection, type ChannelProtocol } from "./index.js";

const protocols: readonly ChannelProtocol[] = [
  { name: "", base64: false, streamClose: false },
  { name: "plain", base64: false, streamClose: false },
  { name: "text", base64: true, streamClose: false },
  { name: "closing", base64: false, streamClose: true },
];

const server = createServer();
let use: (connection: ChannelConnection) => void = () => {};

before(async () => {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void acceptWebSocketChannels({
      request,
      socket,
      head,
      protocols,
      channels: ["read", "write", "both", "none"],
    }).then((connection) => connection && use(connection));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

after(() => server.close());

/** Opens a WebSocket; `serve` gets its channels on the server. */
async function open(names: readonly string[], serve: typeof use): Promise<WebSocket> {
  use = serve;
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, [...names]);
  await once(socket, "open");
  return socket;
}

const closing = async (socket: WebSocket): Promise<string> => {
  const [code, reason] = await once(socket, "close");
  return `${code} ${reason}`;
};

describe("the channels of a WebSocket", () => {
  test("carry data both ways, each on its own", async () => {
    const socket = await open(["plain"], ({ channels: [input, output, both] }) => {
      input?.on("data", (data) => output?.write(`read ${data}`));
      both?.on("data", (data) => both.write(`echo ${data}`));
    });
    const messages: string[] = [];
    socket.on("message", (message: Buffer) => messages.push(String(message)));
    socket.send("\0one");
    socket.send("\x02two");
    // Channels that are not read, and empty messages, are passed over.
    socket.send("\x01three");
    socket.send("\x03four");
    socket.send("");
    socket.send("\x02end");
    while (messages.length < 3) {
      await once(socket, "message");
    }
    assert.deepEqual(messages, ["\x01read one", "\x02echo two", "\x02echo end"]);
    socket.close();
  });

  test("are chosen by the first protocol that both sides know, or none", async () => {
    const seen: string[] = [];
    for (const names of [["unknown", "text", "plain"], []]) {
      const socket = await open(names, ({ protocol }) => seen.push(protocol.name));
      assert.equal(socket.protocol, names.length === 0 ? "" : "text");
      socket.close();
      await closing(socket);
    }
    assert.deepEqual(seen, ["text", ""]);
    await assert.rejects(
      open(["unknown"], () => {}),
      /Unexpected server response: 403/,
    );
  });

  test("end one by one where the protocol has a signal for it, and all of them with the connection", async () => {
    const ends: Promise<string>[] = [];
    const socket = await open(["closing"], ({ channels: [input, , both] }) => {
      ends.push(text(input as Duplex), text(both as Duplex));
    });
    socket.send("\0a");
    socket.send("\x02b");
    socket.send(Buffer.from([255, 0]));
    socket.send("\0too late");
    assert.equal(await ends[0], "a");
    socket.send("\x02c");
    socket.close();
    assert.equal(await ends[1], "bc");
  });

  for (const { name, protocol, message, says } of [
    { name: "a channel that is not there", protocol: "plain", message: "\x09x", says: "1002 there is no channel 9" },
    {
      name: "a close signal without a channel",
      protocol: "closing",
      message: [255],
      says: "1002 there is no channel 4",
    },
    {
      name: "a close signal for two",
      protocol: "closing",
      message: [255, 0, 1],
      says: "1002 a close signal names one channel",
    },
    { name: "a digit that is none", protocol: "text", message: "xAAAA", says: "1002 there is no channel 72" },
    { name: "base64 that is none", protocol: "text", message: "0%%%", says: "1007 a message is not base64" },
  ]) {
    test(`are closed with a reason for ${name}`, async () => {
      const socket = await open([protocol], () => {});
      socket.send(typeof message === "string" ? message : Buffer.from(message));
      assert.equal(await closing(socket), says);
    });
  }

  test("make a client wait for a reader that is slow, and lose nothing", async () => {
    let input: Duplex | undefined;
    const socket = await open(["plain"], ({ channels: [first] }) => {
      input = first;
    });
    const total = 64 * 1024 * 1024;
    const piece = Buffer.alloc(64 * 1024 + 1);
    for (let sent = 0; sent < total; sent += piece.length - 1) {
      socket.send(piece);
    }
    // The client's data stays on its side when the buffers of the sockets are full.
    let before = -1;
    while (before !== socket.bufferedAmount) {
      before = socket.bufferedAmount;
      await wait(50);
    }
    assert.ok(socket.bufferedAmount > total / 2, `${socket.bufferedAmount} bytes wait`);
    let received = 0;
    for await (const data of input as Duplex) {
      received += data.length;
      if (received === total) {
        break;
      }
    }
    socket.terminate();
  });
});
