import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { connect } from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { describe, test } from "node:test";
import type { TLSSocket } from "node:tls";
import { ClientGoneError } from "../errors/errors.js";
import { serveHttp1 } from "../http/http1-server.js";
import { Http2ServerConnection } from "../http/http2-server-connection.js";
import type { Exchange } from "./exchange.js";
import { RequestContext } from "./request-context.js";

describe("RequestContext", () => {
  test("keeps each warning once, and no more of them than the header of the answer has room for", () => {
    const context = new RequestContext({ whenClosed() {} } as unknown as Exchange);
    for (let index = 0; index < 100_000; index++) {
      context.warn(`warning ${index % 50_000}`);
    }
    assert.equal(context.warnings?.size, 4097);
    assert.deepEqual([...(context.warnings ?? [])].slice(0, 2), ["warning 0", "warning 1"]);
  });

  test("over HTTP/1.1, a client that goes away closes it and aborts signals asked for before and after", async () => {
    const { exchange, client, server } = await http1Exchange();
    await assertClosing(new RequestContext(exchange), new RequestContext(exchange), () => client.destroy());
    server.close();
  });

  test("over HTTP/2, a stream that is reset closes it and aborts signals asked for before and after", async () => {
    const given = new EventEmitter();
    const handler = ({ exchange }: RequestContext) => void given.emit("exchange", exchange);
    const server = createTcpServer((socket) => {
      new Http2ServerConnection(socket as TLSSocket, { handler, maxStreams: 1, idleTimeoutMs: 60_000 });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => {});
    const [exchange] = (await once(given, "exchange")) as [Exchange];
    await assertClosing(new RequestContext(exchange), new RequestContext(exchange), () => stream.destroy());
    session.destroy();
    server.close();
  });
});

test("who has the answer is not told that it went away, and who takes back the wish to be told is not told", async () => {
  const { exchange, client, server } = await http1Exchange();
  const context = new RequestContext(exchange);
  let told = 0;
  context.whenAborted(() => told++);
  const closed = new Promise<void>((resolve) => {
    exchange.whenClosed(resolve);
  });
  exchange.send(200, []);
  await closed;
  assert.equal(told, 0);
  const forget = new RequestContext(exchange).whenAborted(() => told++);
  assert.equal(told, 1, "who asks after the end is told at once");
  forget();
  client.destroy();
  server.close();
  const other = await http1Exchange();
  const unanswered = new RequestContext(other.exchange);
  unanswered.whenAborted(() => told++)();
  unanswered.abort(new Error("deadline"));
  assert.equal(told, 1);
  other.client.destroy();
  other.server.close();
});

/** Sends a request over HTTP/1.1, and returns it as a server has it. */
async function http1Exchange(): Promise<{ exchange: Exchange; client: ClientRequest; server: Server }> {
  const given = new EventEmitter();
  const server = createTcpServer((socket) => {
    serveHttp1(socket, ({ exchange }) => void given.emit("exchange", exchange), 60_000);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = request({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  client.on("error", () => {});
  client.end();
  const [exchange] = (await once(given, "exchange")) as [Exchange];
  return { exchange, client, server };
}

async function assertClosing(early: RequestContext, late: RequestContext, leave: () => void): Promise<void> {
  const { signal } = early;
  assert.equal(early.isClosed, false);
  assert.equal(signal.aborted, false);
  leave();
  await once(signal, "abort");
  assert.ok(signal.reason instanceof ClientGoneError);
  assert.equal(early.isClosed, true);
  assert.equal(late.isClosed, true);
  assert.ok(late.signal.aborted);
}
