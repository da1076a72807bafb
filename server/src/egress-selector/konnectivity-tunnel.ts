import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { type ClientDuplexStream, type Grpc, loadGrpc } from "@gatehouse/component-base/grpc";
import { type Packet, type PacketInput, packetType, proxyMethods } from "./konnectivity-api.js";

/** A connection to a konnectivity server, which carries one tunnel. */
export interface KonnectivityConnection {
  /** Opens the tunnel to `host:port`. Rejects with the reason that the server gives. */
  dial(address: string): Promise<Socket>;
}

/** Time in milliseconds to reach the server, and for its agent to reach an address (as in v1.29). */
const dialTimeoutMs = 30_000;
/** Time in milliseconds for the server to confirm the end of a tunnel (as in v1.29). */
const closeTimeoutMs = 10_000;
/** Largest piece of data in a packet: Go's servers refuse messages above 4 MiB. */
const maxDataBytes = 1024 * 1024;
/** Bound of the random number of a dial. */
const maxRandom = 2 ** 48 - 1;

type Call = ClientDuplexStream<PacketInput, Packet>;

/** Connects to the konnectivity server at a socket of this machine. Rejects when it does not answer in time. */
export async function connectKonnectivity(socketPath: string): Promise<KonnectivityConnection> {
  const [grpc, { Proxy: method }] = await Promise.all([loadGrpc(), proxyMethods()]);
  const client = new grpc.Client(`unix:${socketPath}`, grpc.credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
    "grpc.default_authority": "localhost",
    // Each tunnel has a connection of its own, as those of v1.29 have.
    "grpc.use_local_subchannel_pool": 1,
  });
  try {
    await untilReady(client);
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    async dial(address) {
      const call = client.makeBidiStreamRequest(method.path, method.requestSerialize, method.responseDeserialize);
      call.once("status", () => client.close());
      return await dialTunnel(call, address);
    },
  };
}

function untilReady(client: InstanceType<Grpc["Client"]>): Promise<void> {
  return new Promise((resolve, reject) => {
    client.waitForReady(Date.now() + dialTimeoutMs, (error) => (error ? reject(error) : resolve()));
  });
}

function dialTunnel(call: Call, address: string): Promise<Socket> {
  const random = randomInt(1, maxRandom);
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      clearTimeout(timer);
      call.off("data", receive);
      call.write({ type: packetType.closeDial, closeDial: { random } });
      call.cancel();
      reject(new Error(reason));
    };
    const receive = ({ type, dialResponse, closeDial }: Packet): void => {
      if (type === packetType.dialResponse && dialResponse?.random === random) {
        if (dialResponse.error !== "") {
          fail(dialResponse.error);
          return;
        }
        clearTimeout(timer);
        call.off("data", receive);
        call.off("end", closed);
        call.pause();
        // Callers need the parts of a socket that a tunnel has, and Node's HTTP and TLS no others.
        resolve(new KonnectivityTunnel(call, dialResponse.connectID) as unknown as Socket);
      } else if (type === packetType.closeDial && closeDial?.random === random) {
        fail("dial closed");
      }
    };
    const closed = (): void => fail("tunnel closed");
    const timer = setTimeout(() => fail("dial timeout, backstop"), dialTimeoutMs);
    // An error is followed by the end.
    call.on("error", () => {});
    call.on("data", receive);
    call.once("end", closed);
    call.write({ type: packetType.dialRequest, dialRequest: { protocol: "tcp", address, random } });
  });
}

/** The bytes of a connection in packets of a call, with the methods of a socket that HTTP uses. */
class KonnectivityTunnel extends Duplex {
  readonly #call: Call;
  readonly #connectID: number;
  #idle: NodeJS.Timeout | undefined;
  #idleMs = 0;
  #isOver = false;

  constructor(call: Call, connectID: number) {
    super();
    this.#call = call;
    this.#connectID = connectID;
    call.on("data", (packet: Packet) => this.#receive(packet));
    call.once("end", () => {
      if (!this.#isOver) {
        this.destroy(new Error("tunnel closed"));
      }
    });
  }

  override _read(): void {
    this.#call.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: (error?: Error | null) => void): void {
    this.#touch();
    const piece = chunk.subarray(0, maxDataBytes);
    const rest = chunk.subarray(maxDataBytes);
    const data = { connectID: this.#connectID, data: piece };
    this.#call.write({ type: packetType.data, data }, (error?: Error | null) => {
      if (error || rest.length === 0) {
        written(error);
      } else {
        this._write(rest, "utf8", written);
      }
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#idle);
    if (!this.#isOver) {
      this.#isOver = true;
      this.#call.write({ type: packetType.closeRequest, closeRequest: { connectID: this.#connectID } });
    }
    this.#call.end();
    // What still comes is dropped until the server has confirmed the end.
    this.#call.resume();
    const timer = setTimeout(() => this.#call.cancel(), closeTimeoutMs).unref();
    this.#call.once("status", () => clearTimeout(timer));
    done(error);
  }

  #receive({ type, data, closeResponse }: Packet): void {
    if (this.destroyed) {
      return;
    }
    if (type === packetType.data && data?.connectID === this.#connectID) {
      this.#touch();
      if (data.data.length > 0 && !this.push(data.data)) {
        this.#call.pause();
      }
    } else if (type === packetType.closeResponse && closeResponse?.connectID === this.#connectID) {
      this.#isOver = true;
      this.push(null);
    }
  }

  #touch(): void {
    clearTimeout(this.#idle);
    this.#idle = this.#idleMs > 0 ? setTimeout(() => this.emit("timeout"), this.#idleMs).unref() : undefined;
  }

  /** Emits `timeout` when nothing has passed for a time; 0 for never. */
  setTimeout(ms: number, listener?: () => void): this {
    this.#idleMs = ms;
    this.#touch();
    if (listener !== undefined) {
      this.once("timeout", listener);
    }
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
