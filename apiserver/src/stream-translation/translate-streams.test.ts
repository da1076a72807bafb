import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import { SpdyConnection, type SpdyStream } from "@gatehouse/component-base/spdy";
import { WebSocket } from "ws";
import { type Listener, listen } from "../http/listener.js";
import { Transport } from "../reverse-proxy/index.js";
import { asksForStreamClose, type CommandStreams, translateStreams } from "./index.js";

type Streams = Readonly<Record<string, SpdyStream>>;
/** Runs a command of a test when its streams are there. */
type Command = (streams: Streams, connection: SpdyConnection) => void;

/** The commands of the backend by path. They end their streams themselves. */
const commands: Record<string, Command> = {
  "/upper": async ({ stdin, stdout, stderr, error }) => {
    stderr?.end("a warning");
    stdout?.end((await text(stdin as SpdyStream)).toUpperCase());
    error?.end('{"metadata":{},"status":"Success"}');
  },
  "/exit": ({ stdout, error }) => {
    stdout?.end();
    const details = { causes: [{ reason: "ExitCode", message: "42" }] };
    error?.end(JSON.stringify({ status: "Failure", reason: "NonZeroExitCode", message: "went wrong", details }));
  },
  "/broken": ({ stdout, error }) => {
    stdout?.end();
    error?.end('{"status":"Failure","reason":"InternalError","message":"it broke"}');
  },
  "/size": async ({ resize, stdout, error }) => {
    const [size] = await once(resize as SpdyStream, "data");
    stdout?.end(`the size is ${size}`);
    error?.end('{"status":"Success"}');
  },
  "/die": ({ stdout }, connection) => {
    stdout?.write("half an ans", () => connection.destroy());
  },
  "/forever": ({ stdout }, connection) => {
    stdout?.write("it runs");
    void connection.ended.then(() => left.resolve());
  },
  "/early": ({ stdout, error }) => {
    stdout?.end("I have enough");
    error?.end('{"status":"Success"}');
  },
};

/** Resolved when the connection of the command that never ends has ended. */
const left: { resolve: () => void; promise: Promise<void> } = (() => {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { resolve, promise };
})();

let certificate: CertificateAndKey;
let authorityPem: string;
let backendPort = 0;
let front: Listener;
let transport: Transport;
let wanted: CommandStreams;
const backend = createServer();

before(async () => {
  const lifetime = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };
  const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...lifetime });
  const subject = { kind: "server", commonName: "s", dnsNames: [], ipAddresses: ["127.0.0.1"] } as const;
  certificate = await issueCertificate({ subject, issuer, ...lifetime });
  authorityPem = issuer.certificatePem;
  backend.setSecureContext({ cert: certificate.certificatePem, key: certificate.keyPem });
  backend.on("upgrade", serveCommand);
  backend.listen(0, "127.0.0.1");
  await once(backend, "listening");
  backendPort = (backend.address() as AddressInfo).port;
  transport = new Transport({ tls: () => tls });
  const tls = { certificateAuthorityPem: authorityPem, insecureSkipTlsVerify: false };
  front = await listen({
    host: "127.0.0.1",
    port: 0,
    secureContext: { cert: certificate.certificatePem, key: certificate.keyPem },
    requestClientCertificate: false,
    http2MaxStreamsPerConnection: 0,
    handler: async (context) => {
      assert.ok(asksForStreamClose(context.exchange));
      const { target } = context.exchange;
      const port = target === "/nobody" ? 1 : backendPort;
      await translateStreams(context, {
        transport,
        backend: { scheme: "https", host: "127.0.0.1", port },
        target,
        streams: wanted,
      });
    },
    onError: () => {},
  });
});

after(async () => {
  transport[Symbol.dispose]();
  backend.close();
  await front.close(0);
});

function serveCommand(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on("error", () => {});
  const command = commands[request.url ?? ""];
  if (command === undefined) {
    socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 18\r\n\r\npod does not exist");
    return;
  }
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n",
  );
  const expected = ["error", ...(["stdin", "stdout", "stderr"] as const).filter((name) => wanted[name])];
  if (wanted.tty) {
    expected.push("resize");
  }
  const streams: Record<string, SpdyStream> = {};
  const onStream = (stream: SpdyStream): void => {
    streams[stream.headers.get("streamtype") ?? ""] = stream;
    if (expected.every((name) => name in streams)) {
      command(streams, connection);
    }
  };
  const connection = new SpdyConnection(socket, { role: "server", onStream }, head);
}

/** Connects as a client does; resolves with the data of each channel when the connection has ended. */
async function run(
  path: string,
  streams: Partial<CommandStreams>,
  talk: (socket: WebSocket) => void = () => {},
): Promise<{ stdout: string; stderr: string; status: Record<string, unknown>; first: Buffer | undefined }> {
  wanted = { stdin: false, stdout: false, stderr: false, tty: false, ...streams };
  const socket = new WebSocket(`wss://127.0.0.1:${front.port}${path}`, ["v5.channel.k8s.io"], { ca: authorityPem });
  const messages: Buffer[] = [];
  socket.on("message", (message: Buffer) => messages.push(message));
  socket.once("open", () => talk(socket));
  await once(socket, "close");
  const of = (channel: number): string =>
    Buffer.concat(messages.filter(([number]) => number === channel).map((message) => message.subarray(1))).toString();
  return { stdout: of(1), stderr: of(2), status: JSON.parse(of(3) || "{}"), first: messages[0] };
}

describe("a command over a WebSocket, by SPDY on the backend", () => {
  test("has its streams apart, and reads its input to the signal that closes it", async () => {
    const outcome = await run("/upper", { stdin: true, stdout: true, stderr: true }, (socket) => {
      socket.send(Buffer.from("\0shout"));
      socket.send(Buffer.from([255, 0]));
    });
    assert.deepEqual(outcome.first, Buffer.from([1]), "an empty message says that the connection is established");
    assert.equal(outcome.stdout, "SHOUT");
    assert.equal(outcome.stderr, "a warning");
    assert.deepEqual(outcome.status, { metadata: {}, status: "Success" });
  });

  test("ends with its exit code", async () => {
    const { status } = await run("/exit", { stdout: true });
    assert.deepEqual(status, {
      metadata: {},
      status: "Failure",
      message: "command terminated with non-zero exit code: command terminated with exit code 42",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "42" }] },
    });
  });

  test("gets the size of the terminal", async () => {
    const { stdout } = await run("/size", { stdout: true, tty: true }, (socket) => {
      socket.send(Buffer.from('\x04{"Width":80,"Height":24}\n'));
    });
    assert.equal(stdout, 'the size is {"Width":80,"Height":24}\n');
  });

  test("may end before its input has", async () => {
    const { stdout, status } = await run("/early", { stdin: true, stdout: true }, (socket) => {
      socket.send(Buffer.alloc(512 * 1024));
    });
    assert.equal(stdout, "I have enough");
    assert.equal(status["status"], "Success");
  });

  for (const { name, path, message } of [
    { name: "the runtime reports", path: "/broken", message: "it broke" },
    { name: "the backend refuses", path: "/none", message: "unable to upgrade connection: pod does not exist" },
    {
      name: "nobody answers",
      path: "/nobody",
      message: /^error sending request: dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
    },
    { name: "the backend dies", path: "/die", message: "the backend has ended the connection without a status" },
  ]) {
    test(`fails on the error channel when ${name}`, async () => {
      const { status } = await run(path, { stdout: true });
      assert.equal(status["reason"], "InternalError");
      const [cause] = (status["details"] as { causes: { message: string }[] }).causes;
      assert.match(cause?.message ?? "", typeof message === "string" ? new RegExp(`^${message}$`) : message);
    });
  }

  test("is left when the client goes away", async () => {
    await run("/forever", { stdout: true }, (socket) => {
      socket.on("message", (message: Buffer) => message.length > 1 && socket.terminate());
    });
    await left.promise;
  });
});
