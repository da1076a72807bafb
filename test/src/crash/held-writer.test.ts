import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createCertificates } from "@gatehouse/testing/certificates";
import { createApiClient } from "../spec/support/api-client.js";
import { configMapsPath } from "../spec/support/fixtures.js";
import { freePort } from "../support/free-port.js";
import { serverProgram } from "../support/server-program.js";
import { until } from "../support/until.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-held-"));
after(() => rm(folder, { recursive: true, force: true }));
const pki = await createCertificates(folder);
const clientCertificate = await pki.clientCertificate("kubernetes-admin", ["system:masters"]);
const holdFile = join(folder, "hold");
const holdWriter = fileURLToPath(new URL("hold-writer.js", import.meta.url));
const endWithParent = fileURLToPath(new URL("end-with-parent.js", import.meta.resolve("@gatehouse/deploy")));

/** A server, perhaps beneath a parent of its own. */
interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  output(): string;
  /** Resolves when the server has ended: nobody holds its output any more. */
  readonly closed: Promise<unknown>;
  isClosed(): boolean;
}

let directories = 0;

function commandOf(port: number, dataDir: string): readonly string[] {
  return [
    ...["--import", holdWriter, "--import", endWithParent, serverProgram.script],
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    `--tls-cert-file=${pki.serverCertFile}`,
    `--tls-private-key-file=${pki.serverKeyFile}`,
    `--client-ca-file=${pki.caFile}`,
    `--data-dir=${dataDir}`,
    "--authorization-mode=AlwaysAllow",
    "--controllers=system-namespaces-controller",
    "--shutdown-grace-period=0s",
    ...pki.serviceAccountFlags,
  ];
}

function start(port: number, dataDir: string, parent: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, [...parent, ...commandOf(port, dataDir)], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, GATEHOUSE_HOLD_WRITER: holdFile, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  let isClosed = false;
  const closed = once(child, "close").then(() => {
    isClosed = true;
  });
  return { child, port, output: () => output, closed, isClosed: () => isClosed };
}

async function serving(server: Started): Promise<void> {
  await until("the server serves", () => {
    assert.ok(!server.isClosed(), server.output());
    return /\bserving\b/.test(server.output());
  });
}

function clientOf(port: number) {
  return createApiClient({
    server: new URL(`https://127.0.0.1:${port}`),
    certificateAuthorityPem: pki.authority.certificatePem,
    insecureSkipTlsVerify: false,
    clientCertificate,
  });
}

/** Starts a server whose writer waits for JavaScript, runs `end`, and proves that port and store are free afterwards. */
async function endsWhileHeld(
  end: (server: Started) => void | Promise<void>,
  parent?: readonly string[],
): Promise<Started> {
  rmSync(holdFile, { force: true });
  const dataDir = join(folder, `data-${directories++}`);
  const port = await freePort();
  const server = start(port, dataDir, parent);
  try {
    await serving(server);
    using client = clientOf(port);
    await until("there is a namespace", async () => (await client.get("/api/v1/namespaces/default")).status === 200);
    writeFileSync(holdFile, "");
    await until("the writer is held", () => server.output().includes("the writer is held"));
    // Is never answered.
    client.post(configMapsPath("default"), { metadata: { name: "held" } }).catch(() => undefined);
    await end(server);
    await server.closed;
  } finally {
    server.child.kill("SIGKILL");
  }
  rmSync(holdFile);
  await using again = disposable(start(port, dataDir));
  await serving(again.server);
  using client = clientOf(port);
  const { status } = await client.post(configMapsPath("default"), { metadata: { name: "after" } });
  assert.equal(status, 201);
  return server;
}

function disposable(server: Started) {
  return {
    server,
    async [Symbol.asyncDispose]() {
      server.child.kill("SIGKILL");
      await server.closed;
    },
  };
}

test("SIGTERM ends a server whose writer waits for JavaScript", async () => {
  const server = await endsWhileHeld(({ child }) => void child.kill("SIGTERM"));
  assert.match(server.output(), /left behind at the shutdown deadline/);
});

test("a second SIGTERM ends a server whose writer waits for JavaScript", async () => {
  const server = await endsWhileHeld(async ({ child, output }) => {
    child.kill("SIGTERM");
    await until("the first one is seen", () => output().includes("shutting down"));
    child.kill("SIGTERM");
  });
  assert.match(server.output(), /second signal, exiting at once/);
  assert.doesNotMatch(server.output(), /left behind/);
});

test("an error that nobody catches ends a server whose writer waits for JavaScript", async () => {
  const server = await endsWhileHeld(({ child }) => void child.kill("SIGUSR2"));
  assert.match(server.output(), /an error was not caught, the process ends at once .*an error of this test/);
});

test("the end of its parent ends a server whose writer waits for JavaScript", async () => {
  // The server inherits the output, so it is closed when both have ended.
  const parent = `const { spawn } = require("node:child_process");
    spawn(process.execPath, process.argv.slice(1), { stdio: ["ignore", "inherit", "inherit", "ipc"] });`;
  const server = await endsWhileHeld(({ child }) => void child.kill("SIGKILL"), ["-e", parent, "--"]);
  assert.match(server.output(), /shutting down/);
});

test("a port that is taken ends a server whose writer waits for JavaScript", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as { readonly port: number };
  const dataDir = join(folder, `data-${directories++}`);
  const server = start(port, dataDir, [], { GATEHOUSE_HOLD_AT_LISTEN: "1" });
  try {
    await server.closed;
  } finally {
    taken.close();
  }
  assert.match(server.output(), /listen EADDRINUSE/);
  assert.match(server.output(), /the writer is held/);
  await using again = disposable(start(port, dataDir));
  await serving(again.server);
});
