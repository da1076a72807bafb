import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, ServerResponse } from "node:http";
import {
  connect,
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { ClientGoneError } from "../errors/errors.js";
import { Http1Exchange } from "../http/http1-exchange.js";
import { Http2Exchange } from "../http/http2-exchange.js";
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
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const sent = request({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
    sent.on("error", () => {});
    sent.end();
    const [incoming, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
    const exchange = new Http1Exchange(incoming, response);
    await assertClosing(new RequestContext(exchange), new RequestContext(exchange), () => sent.destroy());
    server.close();
  });

  test("over HTTP/2, a stream that is reset closes it and aborts signals asked for before and after", async () => {
    const server = createHttp2Server();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => {});
    const [answering, headers] = (await once(server, "stream")) as [ServerHttp2Stream, IncomingHttpHeaders];
    const exchange = new Http2Exchange(answering, headers, []);
    await assertClosing(new RequestContext(exchange), new RequestContext(exchange), () => stream.destroy());
    session.destroy();
    server.close();
  });
});

test("who has the answer is not told that it went away, and who takes back the wish to be told is not told", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sent = request({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  sent.end();
  const [incoming, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
  const exchange = new Http1Exchange(incoming, response);
  const context = new RequestContext(exchange);
  let told = 0;
  context.whenAborted(() => told++);
  exchange.send(200, {});
  await once(response, "close");
  assert.equal(told, 0);
  const forget = new RequestContext(exchange).whenAborted(() => told++);
  assert.equal(told, 1, "who asks after the end is told at once");
  forget();
  const other = new RequestContext(new Http1Exchange(incoming, new ServerResponse(incoming)));
  other.whenAborted(() => told++)();
  other.abort(new Error("deadline"));
  assert.equal(told, 1);
  server.closeAllConnections();
  server.close();
});

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
