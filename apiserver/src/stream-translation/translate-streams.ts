import type { Duplex, Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { HttpClientError } from "@gatehouse/component-base/errors";
import { goErrorText } from "@gatehouse/component-base/http-client";
import { SpdyConnection, type SpdyStream } from "@gatehouse/component-base/spdy";
import {
  acceptWebSocketChannels,
  type ChannelConnection,
  type ChannelDirection,
} from "@gatehouse/component-base/websocket-channels";
import type { Exchange } from "../request/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import { authorityOf, type Backend, recipientOf, type Transport, valuesOf } from "../reverse-proxy/index.js";
import { failure, type RemoteStatus, remoteStatus } from "./remote-status.js";

/** Streams of a command that a client asks for. */
export interface CommandStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The place of a command, and its streams. */
export interface StreamTranslation {
  readonly transport: Transport;
  readonly backend: Backend;
  /** Path and query that the backend is asked for. */
  readonly target: string;
  readonly streams: CommandStreams;
}

const clientProtocol = { name: "v5.channel.k8s.io", base64: false, streamClose: true } as const;
const backendProtocols = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"];

/** Numbers of the channels of a WebSocket. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** Time in milliseconds in which a backend must agree to SPDY or refuse it. */
const upgradeTimeoutMs = 150_000;
const maxStatusBytes = 64 * 1024;

/** Reports whether a client asks for a WebSocket whose channels can be closed (`v5.channel.k8s.io`). */
export function asksForStreamClose({ asksForWebSocket, headers }: Exchange): boolean {
  const protocols = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return asksForWebSocket && protocols.includes(clientProtocol.name);
}

/**
 * Serves a command to a client over a WebSocket, and runs it by SPDY/3.1 on a backend (KEP-4006). Failures on the way to
 * the backend are told on the error channel. Resolves when the client's connection has ended.
 */
export async function translateStreams({ exchange }: RequestContext, translation: StreamTranslation): Promise<void> {
  const { stdin, stdout, stderr } = translation.streams;
  await exchange.mayBegin(101);
  const channels: ChannelDirection[] = [
    stdin ? "read" : "none",
    stdout ? "write" : "none",
    stderr ? "write" : "none",
    "write",
    "read",
  ];
  const client = await acceptWebSocketChannels({
    request: { method: exchange.method, url: exchange.target, headers: exchange.headers },
    socket: exchange.upgrade(101),
    head: Buffer.alloc(0),
    protocols: [clientProtocol],
    channels,
  });
  if (client === undefined) {
    return;
  }
  client.announce(stdout ? channel.stdout : stderr ? channel.stderr : channel.error);
  const status = await run(client, translation).catch((error) => failure((error as Error).message));
  const error = client.channels[channel.error] as Duplex;
  error.end(JSON.stringify(status));
  // The client may be gone.
  await finished(error, { readable: false }).catch(() => {});
  await client.close();
}

/** Runs the command; resolves to its status when all output has been passed on. */
async function run(client: ChannelConnection, translation: StreamTranslation): Promise<RemoteStatus> {
  const { connection, protocol } = await openBackend(client.signal, translation);
  const leave = (): void => connection.destroy();
  client.signal.addEventListener("abort", leave, { once: true });
  try {
    return await connectStreams(client, connection, protocol, translation.streams);
  } finally {
    client.signal.removeEventListener("abort", leave);
    await connection.close();
  }
}

async function openBackend(
  signal: AbortSignal,
  { transport, backend, target }: StreamTranslation,
): Promise<{ connection: SpdyConnection; protocol: string }> {
  const fields = ["Host", authorityOf(backend), "Connection", "Upgrade", "Upgrade", "SPDY/3.1", "Content-Length", "0"];
  for (const protocol of backendProtocols) {
    fields.push("X-Stream-Protocol-Version", protocol);
  }
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(upgradeTimeoutMs)]);
  const { answer, socket } = await transport
    .upgrade(backend, { method: "POST", target, fields, recipient: recipientOf(deadline) })
    .catch((error) => {
      const text = error instanceof HttpClientError ? goErrorText(error) : String(error);
      throw new Error(`error sending request: ${text}`, { cause: error });
    });
  if (socket === undefined) {
    throw new Error(`unable to upgrade connection: ${await textOf(answer.content.body)}`);
  }
  const [protocol = ""] = valuesOf(answer.fields, "x-stream-protocol-version");
  return { connection: new SpdyConnection(socket, { role: "client" }), protocol };
}

async function connectStreams(
  client: ChannelConnection,
  connection: SpdyConnection,
  protocol: string,
  { stdin, stdout, stderr, tty }: CommandStreams,
): Promise<RemoteStatus> {
  const open = (type: string): Promise<SpdyStream> => connection.open(new Map([["streamtype", type]]));
  const at = (number: number): Duplex => client.channels[number] as Duplex;
  const error = await open("error");
  error.end();
  const [input, output, errors, resize] = [
    stdin ? await open("stdin") : undefined,
    stdout ? await open("stdout") : undefined,
    stderr && !tty ? await open("stderr") : undefined,
    tty && /^v[34]\./.test(protocol) ? await open("resize") : undefined,
  ];
  if (input !== undefined) {
    passOn(at(channel.stdin), input);
    input.resume();
  }
  if (resize !== undefined) {
    passOn(at(channel.resize), resize);
  }
  const [content] = await Promise.all([
    textOf(error),
    output === undefined ? undefined : pipeline(output, at(channel.stdout)),
    errors === undefined ? undefined : pipeline(errors, at(channel.stderr)),
  ]);
  return remoteStatus(content, protocol);
}

/** Passes a stream of the client on. The command may end before the client has sent all of it. */
function passOn(from: Readable, to: SpdyStream): void {
  from.pipe(to);
  to.once("close", () => from.resume());
}

/** Reads the text of a short stream. Rejects if it is long. */
async function textOf(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    if (length > maxStatusBytes) {
      throw new Error(`the backend's status has more than ${maxStatusBytes} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString().trim();
}
