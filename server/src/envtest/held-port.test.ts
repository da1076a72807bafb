import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer, get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { HeldPort, holdApiServerPort, holdEtcdPort } from "./held-port.js";

const host = "127.0.0.1";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function serveHello(): Server {
  return createHttpServer((_request, response) => void response.setHeader("connection", "close").end("hello"));
}

/** Connects and closes the connection: whatever came before has been accepted then. */
async function knock(port: number): Promise<void> {
  const socket = connect(port, host);
  await once(socket, "connect");
  socket.destroy();
}

async function ask(port: number): Promise<string> {
  const [response] = (await once(get({ host, port, agent: false }), "response")) as [IncomingMessage];
  return text(response);
}

describe("a port that is held for a server", () => {
  it("answers what was asked before there was a server, and what is asked later", async () => {
    const port = await freePort();
    const held = new HeldPort({ host, port });
    const early = ask(port);
    let isAnswered = false;
    void early.then(() => {
      isAnswered = true;
    });
    await knock(port);
    const server = serveHello();
    const opened = await held.open({}, (connection) => void server.emit("connection", connection));
    assert.equal(opened.port, port);
    await knock(port);
    assert.equal(isAnswered, false, "it has not been released");
    held.release();
    assert.equal(await early, "hello");
    assert.equal(await ask(port), "hello");
    held.stop();
    await assert.rejects(ask(port), /ECONNREFUSED/);
  });

  it("closes connections that wait when it is stopped", async () => {
    const port = await freePort();
    const held = new HeldPort({ host, port });
    const early = ask(port);
    await knock(port);
    held.stop();
    await assert.rejects(early);
  });

  it("is refused when somebody else has it", async () => {
    const other = createServer().listen(0, host);
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await assert.rejects(
      new HeldPort({ host, port }).open({}, () => {}),
      /address already in use/,
    );
    other.close();
  });

  it("is open before a program is loaded, during which this process does nothing else", async () => {
    const port = await freePort();
    const held = await holdApiServerPort([`--bind-address=${host}`, `--secure-port=${port}`]);
    const script = `require("node:net").connect(${port}, "${host}", process.exit).once("error", () => process.exit(1))`;
    const { status } = spawnSync(process.execPath, ["-e", script]);
    held?.stop();
    assert.equal(status, 0);
  });

  it("is that of the command line, if this names one address for the program alone", async () => {
    const port = await freePort();
    for (const hold of [
      () => holdApiServerPort(["--allow-privileged", "--bind-address=127.0.0.1", "--secure-port", String(port)]),
      () => holdApiServerPort([`--secure-port=${port}`]),
      () => holdEtcdPort(["-data-dir", "d", `--listen-client-urls=http://127.0.0.1:${port}`]),
      () => holdEtcdPort([`--listen-client-urls=http://0.0.0.0:${port}`]),
    ]) {
      const held = await hold();
      assert.equal((await held?.open({}, () => {}))?.port, port);
      held?.stop();
    }
    const none = await Promise.all([
      holdApiServerPort(["--bind-address=127.0.0.1"]),
      holdApiServerPort(["--bind-address=127.0.0.1", "--secure-port=0"]),
      holdApiServerPort(["--bind-address=127.0.0.1", `--secure-port=${port}`, "--permit-port-sharing"]),
      holdEtcdPort([`--listen-client-urls=http://[::1]:${port}`]),
      holdEtcdPort([`--listen-client-urls=http://127.0.0.1:${port},http://127.0.0.1:${port + 1}`]),
      holdEtcdPort([]),
    ]);
    assert.deepEqual(
      none,
      none.map(() => undefined),
    );
  });
});
