import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { openNatsOutput } from "./nats-output.js";
import { EventsRejectedError, type OutputContext } from "./output.js";
import { outputBatch, outputContract, outputEvent } from "./output-contract.test.support.js";

const isThere = spawnSync("nats-server", ["--version"]).status === 0;
if (!isThere && process.env["REQUIRE_PEERS"] === "1") {
  throw new Error("REQUIRE_PEERS=1 is set, and there is no nats-server on PATH");
}
const folder = await mkdtemp(join(tmpdir(), "gatehouse-nats-"));
after(() => rm(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server of NATS with a stream, which can be stopped and started again with what it has. */
async function startServer() {
  const port = await freePort();
  const store = await mkdtemp(join(folder, "store-"));
  let stop = async (): Promise<void> => {};
  async function start(): Promise<void> {
    const child = spawn("nats-server", ["-js", "-sd", store, "-a", "127.0.0.1", "-p", String(port)], {
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    stop = async () => {
      child.kill("SIGKILL");
      await ended;
    };
    await (await connected()).close();
  }
  async function connected(): Promise<NatsConnection> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await connect({ servers: `127.0.0.1:${port}`, reconnect: false });
      } catch (error) {
        if (attempt > 100) {
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
  await start();
  const connection = await connected();
  await (await jetstreamManager(connection)).streams.add({ name: "audit", subjects: ["audit.>"] });
  await connection.close();
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    stop: () => stop(),
    /** The payloads of the stream, in its order. */
    async messages(): Promise<readonly string[]> {
      const reading = await connected();
      const { streams } = await jetstreamManager(reading);
      const { state } = await streams.info("audit");
      const texts: string[] = [];
      for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq++) {
        texts.push((await streams.getMessage("audit", { seq }))?.string() ?? "");
      }
      await reading.close();
      return texts;
    },
  };
}

const configOf = (url: string) => ({
  servers: [url],
  subject: "audit.events",
  caFile: undefined,
  certFile: undefined,
  keyFile: undefined,
  credentialsFile: undefined,
  tokenFile: undefined,
});
const context: OutputContext = { pipeline: "nats", state: undefined, saveState: async () => undefined };

if (isThere) {
  outputContract("NATS JetStream", { keepsOnce: true, canFail: true }, async () => {
    const server = await startServer();
    return {
      open: (given) => openNatsOutput(configOf(server.url), given),
      received: async () =>
        (await server.messages()).map((text) => (JSON.parse(text) as { auditID: string }).auditID).sort(byNumber),
      breakDown: () => server.stop(),
      mend: () => server.start(),
      [Symbol.asyncDispose]: () => server.stop(),
    };
  });
}

/** One batch is published all at once: its messages may be stored in another order. */
function byNumber(a: string, b: string): number {
  return Number(a.slice(3)) - Number(b.slice(3));
}

test("NATS: an event that is too long for the server is rejected", { skip: !isThere && "no nats-server" }, async () => {
  const server = await startServer();
  const output = await openNatsOutput(configOf(server.url), context);
  const long = outputEvent(1, { requestObject: { data: "x".repeat(1_100_000) } });
  await assert.rejects(
    async () => output.deliver(outputBatch([outputEvent(0), long]), AbortSignal.timeout(10_000)),
    new EventsRejectedError("a message is longer than the 1048576 bytes that the server takes"),
  );
  assert.deepEqual(await server.messages(), []);
  await output.close();
  await server.stop();
});
