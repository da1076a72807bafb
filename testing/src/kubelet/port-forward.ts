import type { Duplex } from "node:stream";
import { SpdyConnection, type SpdyHeaders, type SpdyStream } from "@gatehouse/component-base/spdy";
import {
  acceptWebSocketChannels,
  type ChannelDirection,
  type ChannelStream,
} from "@gatehouse/component-base/websocket-channels";
import type { PodScript } from "./pod-script.js";
import { servePort } from "./port-connection.js";
import { acceptSpdy, KubeletError, streamCreationTimeoutMs, type Upgrade, wantsWebSocket } from "./upgrade.js";

/** Accepts the upgrade of `/portForward` and serves all connections that the client opens on it. Throws KubeletError. */
export async function forwardPorts(upgrade: Upgrade, query: URLSearchParams, ports: PodScript["ports"]): Promise<void> {
  if (wantsWebSocket(upgrade)) {
    await forwardChannels(upgrade, portsOf(query), ports);
  } else {
    await forwardStreams(upgrade, ports);
  }
}

/** Streams of one connection to a port, until both of them are there. */
interface StreamPair {
  data?: SpdyStream;
  error?: SpdyStream;
  readonly timer: NodeJS.Timeout;
}

async function forwardStreams(upgrade: Upgrade, ports: PodScript["ports"]): Promise<void> {
  acceptSpdy(upgrade, ["portforward.k8s.io"]);
  const pairs = new Map<string, StreamPair>();

  function onStream(stream: SpdyStream): void {
    const type = stream.headers.get("streamtype") as "data" | "error";
    const requestId = requestIdOf(stream, type);
    const pair = pairs.get(requestId) ?? { timer: setTimeout(() => discard(requestId), streamCreationTimeoutMs) };
    pairs.set(requestId, pair);
    if (pair[type] !== undefined) {
      stream.end(`error processing stream for request ${requestId}: ${type} stream already assigned`);
      return;
    }
    pair[type] = stream;
    if (pair.data !== undefined && pair.error !== undefined) {
      clearTimeout(pair.timer);
      pairs.delete(requestId);
      void serve(ports, Number(pair.data.headers.get("port")), pair.data, pair.error);
    }
  }

  function discard(requestId: string): void {
    pairs.get(requestId)?.error?.end(`(request=${requestId}) timed out waiting for streams`);
    pairs.get(requestId)?.data?.destroy();
    pairs.delete(requestId);
  }

  const connection = new SpdyConnection(
    upgrade.socket,
    { role: "server", accepts: isPortStream, onStream },
    upgrade.head,
  );
  await connection.ended;
  for (const { timer } of pairs.values()) {
    clearTimeout(timer);
  }
}

function isPortStream(headers: SpdyHeaders): boolean {
  const type = headers.get("streamtype");
  return isPort(headers.get("port") ?? "") && (type === "data" || type === "error");
}

/** Old clients send no request id; their error stream comes first, and the data stream follows with the next number. */
function requestIdOf({ headers, id }: SpdyStream, type: "data" | "error"): string {
  return headers.get("requestid") || String(type === "error" ? id : id - 2);
}

async function serve(ports: PodScript["ports"], port: number, data: Duplex, error: Duplex): Promise<void> {
  try {
    await servePort(ports, port, data);
    error.end();
  } catch (failure) {
    error.end((failure as Error).message);
    data.end();
  }
}

async function forwardChannels(upgrade: Upgrade, wanted: readonly number[], ports: PodScript["ports"]): Promise<void> {
  const connection = await acceptWebSocketChannels({
    ...upgrade,
    protocols: ["", "v4.channel.k8s.io", "v4.base64.channel.k8s.io"].map((name) => ({
      name,
      base64: name.includes("base64"),
      streamClose: false,
    })),
    channels: wanted.flatMap((): ChannelDirection[] => ["both", "write"]),
  });
  if (connection === undefined) {
    return;
  }
  const connections = wanted.map(async (port, index) => {
    const [data, error] = connection.channels.slice(index * 2) as [ChannelStream, ChannelStream];
    // Clients have no message that ends their direction.
    data.once("finish", () => data.receiveEnd());
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    data.write(number);
    error.write(number);
    await serve(ports, port, data, error);
  });
  await Promise.all(connections);
  await connection.close();
}

/** Reads the ports of a WebSocket from the query. */
function portsOf(query: URLSearchParams): readonly number[] {
  const ports = query.getAll("port").flatMap((value) => value.split(","));
  if (ports.length === 0) {
    throw new KubeletError(400, 'query parameter "port" is required');
  }
  const bad = ports.find((port) => !isPort(port));
  if (bad !== undefined) {
    throw new KubeletError(400, `unable to parse ${JSON.stringify(bad)} as a port`);
  }
  return ports.map(Number);
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}
