import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as send } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { loadGrpc, type Server, type ServerDuplexStream } from "@gatehouse/component-base/grpc";
import { eventually } from "@gatehouse/testing/eventually";
import { type Packet, type PacketInput, packetType, proxyMethods } from "./konnectivity-api.js";
import { connectKonnectivity } from "./konnectivity-tunnel.js";

/** The number of every tunnel of the stand-in: each call carries one. */
const connectID = 7;

/** A stand-in for a konnectivity server with its agent: it connects where it is told to, and refuses some addresses. */
class StandInAgent {
  readonly path: string;
  /** The types of the packets of each call. */
  readonly calls: number[][] = [];
  readonly #server: Server;

  private constructor(path: string, server: Server) {
    this.path = path;
    this.#server = server;
  }

  static async start(path: string): Promise<StandInAgent> {
    const grpc = await loadGrpc();
    const server = new grpc.Server();
    const agent = new StandInAgent(path, server);
    server.addService((await proxyMethods()) as never, {
      Proxy: (call: ServerDuplexStream<Packet, PacketInput>) => agent.#serve(call),
    });
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(`unix:${path}`, grpc.ServerCredentials.createInsecure(), (error) =>
        error ? reject(error) : resolve(),
      );
    });
    return agent;
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #serve(call: ServerDuplexStream<Packet, PacketInput>): void {
    let socket: Socket | undefined;
    const seen: number[] = [];
    this.calls.push(seen);
    call.on("error", () => socket?.destroy());
    call.on("end", () => call.end());
    call.on("data", ({ type, dialRequest, data }: Packet) => {
      seen.push(type);
      if (type === packetType.dialRequest && dialRequest !== null) {
        const { address, random } = dialRequest;
        if (address.startsWith("closed")) {
          call.write({ type: packetType.closeDial, closeDial: { random } });
        } else if (address.startsWith("ended")) {
          call.end();
        } else if (address.startsWith("refused")) {
          call.write({ type: packetType.dialResponse, dialResponse: { random, error: "dial tcp: no route to host" } });
        } else {
          socket = this.#connect(call, address, random);
        }
      } else if (type === packetType.data) {
        socket?.write(data?.data ?? "");
      } else if (type === packetType.closeRequest) {
        socket?.destroy();
        call.write({ type: packetType.closeResponse, closeResponse: { connectID } });
      }
    });
  }

  #connect(call: ServerDuplexStream<Packet, PacketInput>, address: string, random: number): Socket {
    const [host, port] = address.split(":");
    const socket = connect(Number(port), host);
    socket.on("error", () => {});
    socket.once("connect", () => call.write({ type: packetType.dialResponse, dialResponse: { random, connectID } }));
    socket.on("data", (piece) => call.write({ type: packetType.data, data: { connectID, data: piece } }));
    socket.once("end", () => call.write({ type: packetType.closeResponse, closeResponse: { connectID } }));
    return socket;
  }
}

describe("A tunnel of konnectivity", () => {
  let folder: string;
  let agent: StandInAgent;
  const page = createServer((request, response) => {
    request.pipe(response);
  });
  let address: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-konnectivity-"));
    agent = await StandInAgent.start(join(folder, "k.sock"));
    page.listen(0, "127.0.0.1");
    await once(page, "listening");
    address = `127.0.0.1:${(page.address() as AddressInfo).port}`;
  });
  after(async () => {
    agent?.stop();
    page.closeAllConnections();
    page.close();
    await rm(folder, { recursive: true });
  });

  const dial = async (to: string): Promise<Socket> => await (await connectKonnectivity(agent.path)).dial(to);

  it("carries requests of HTTP in both directions, however large", async () => {
    const socket = await dial(address);
    const sent = "x".repeat(3 * 1024 * 1024);
    const request = send({ method: "POST", host: "pod", createConnection: () => socket });
    request.end(sent);
    const [answer] = await once(request, "response");
    assert.equal(await text(answer), sent);
    socket.destroy();
  });

  it("asks for the end of the connection when it is closed here", async () => {
    const socket = await dial(address);
    const seen = agent.calls.at(-1) as number[];
    socket.destroy();
    await eventually(() => assert.deepEqual(seen, [packetType.dialRequest, packetType.closeRequest]));
  });

  it("ends when the other side has ended", async () => {
    const socket = await dial(address);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    assert.match(await text(socket), /^HTTP\/1\.1 200 OK/);
  });

  for (const [to, reason] of [
    ["refused:1", "dial tcp: no route to host"],
    ["closed:1", "dial closed"],
    ["ended:1", "tunnel closed"],
  ] as const) {
    it(`is refused with: ${reason}`, async () => {
      await assert.rejects(dial(to), { message: reason });
    });
  }
});
