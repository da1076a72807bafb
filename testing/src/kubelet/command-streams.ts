import type { Duplex, Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { SpdyConnection, type SpdyStream } from "@gatehouse/component-base/spdy";
import {
  acceptWebSocketChannels,
  type ChannelDirection,
  type ChannelProtocol,
} from "@gatehouse/component-base/websocket-channels";
import { acceptSpdy, streamCreationTimeoutMs, type Upgrade, wantsWebSocket } from "./upgrade.js";

/** Streams that a client asked for in the query of `/exec` and `/attach`. */
export interface CommandStreamOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
  /** True if clients may use `v5.channel.k8s.io`, which kubelets of v1.29 do not know. */
  readonly webSocketV5: boolean;
}

/** Streams of a command that runs, over either protocol. Those that the client did not ask for are missing. */
export interface CommandStreams {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  readonly resize?: Readable;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Sends all output, then the status, then closes the connection. */
  finish(status: CommandStatus): Promise<void>;
}

/** A Status of the API, as kubelets report the end of a command. */
export interface CommandStatus {
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: { readonly causes: readonly { readonly reason?: string; readonly message: string }[] };
}

const spdyProtocols = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"];
const withStatusObject = /^v[45]\./;
const withResize = /^v[34]\./;

const channelProtocols: readonly ChannelProtocol[] = [
  { name: "", base64: false, streamClose: false },
  { name: "channel.k8s.io", base64: false, streamClose: false },
  { name: "base64.channel.k8s.io", base64: true, streamClose: false },
  { name: "v4.channel.k8s.io", base64: false, streamClose: false },
  { name: "v4.base64.channel.k8s.io", base64: true, streamClose: false },
];
const v5: ChannelProtocol = { name: "v5.channel.k8s.io", base64: false, streamClose: true };

/** Numbers of the channels of a WebSocket. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/**
 * Accepts the upgrade of a request and waits for the streams of the client. Resolves to `undefined` when the client went
 * away or did not open them in time. Throws KubeletError when the upgrade must be refused.
 */
export async function openCommandStreams(
  upgrade: Upgrade,
  options: CommandStreamOptions,
): Promise<CommandStreams | undefined> {
  return wantsWebSocket(upgrade) ? await openChannels(upgrade, options) : await openSpdyStreams(upgrade, options);
}

async function openSpdyStreams(upgrade: Upgrade, options: CommandStreamOptions): Promise<CommandStreams | undefined> {
  const protocol = acceptSpdy(upgrade, spdyProtocols);
  const expected = ["error", ...(["stdin", "stdout", "stderr"] as const).filter((name) => options[name])];
  if (options.tty && withResize.test(protocol)) {
    expected.push("resize");
  }
  const streams = new Map<string, SpdyStream>();
  const connection = await new Promise<SpdyConnection | undefined>((resolve) => {
    const opened = new SpdyConnection(
      upgrade.socket,
      {
        role: "server",
        onStream(stream) {
          streams.set(stream.headers.get("streamtype") ?? "", stream);
          if (expected.every((type) => streams.has(type))) {
            clearTimeout(timer);
            resolve(opened);
          }
        },
      },
      upgrade.head,
    );
    const timer = setTimeout(() => void opened.close(), streamCreationTimeoutMs);
    void opened.ended.then(() => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
  if (connection === undefined) {
    return undefined;
  }
  return {
    ...Object.fromEntries(["stdin", "stdout", "stderr", "resize"].map((type) => [type, streams.get(type)])),
    signal: connection.signal,
    async finish(status) {
      const error = streams.get("error") as SpdyStream;
      const [stdout, stderr] = [streams.get("stdout"), streams.get("stderr")];
      await Promise.all([endOf(stdout), endOf(stderr)]);
      await endOf(error, statusText(status, protocol));
      await connection.close();
    },
  };
}

async function openChannels(upgrade: Upgrade, options: CommandStreamOptions): Promise<CommandStreams | undefined> {
  const { stdin, stdout, stderr } = options;
  const directions: ChannelDirection[] = [
    stdin ? "read" : "none",
    stdout ? "write" : "none",
    stderr ? "write" : "none",
    "write",
    "read",
  ];
  const protocols = options.webSocketV5 ? [...channelProtocols, v5] : channelProtocols;
  const connection = await acceptWebSocketChannels({ ...upgrade, protocols, channels: directions });
  if (connection === undefined) {
    return undefined;
  }
  connection.announce(stdout ? channel.stdout : stderr ? channel.stderr : channel.error);
  const at = (number: number): Duplex => connection.channels[number] as Duplex;
  return {
    ...(stdin ? { stdin: at(channel.stdin) } : {}),
    ...(stdout ? { stdout: at(channel.stdout) } : {}),
    ...(stderr ? { stderr: at(channel.stderr) } : {}),
    resize: at(channel.resize),
    signal: connection.signal,
    async finish(status) {
      await Promise.all([
        stdout ? endOf(at(channel.stdout)) : undefined,
        stderr ? endOf(at(channel.stderr)) : undefined,
      ]);
      await endOf(at(channel.error), statusText(status, connection.protocol.name));
      await connection.close();
    },
  };
}

/** Ends a stream of output, after a last text, and waits until all of it is sent, or cannot be. */
async function endOf(stream: Duplex | undefined, last = ""): Promise<void> {
  last === "" ? stream?.end() : stream?.end(last);
  // The client may be gone; then there is nobody to tell.
  await (stream === undefined ? undefined : finished(stream, { readable: false }).catch(() => {}));
}

/** Protocols before v4 report a failure by its message, and success by nothing. */
function statusText(status: CommandStatus, protocol: string): string {
  if (withStatusObject.test(protocol)) {
    return JSON.stringify(status);
  }
  return status.status === "Success" ? "" : (status.message ?? "");
}
