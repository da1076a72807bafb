import type { BenchEnvironment } from "../bench-environment.js";
import type { ClientCertificates } from "../certificates.js";
import type { Child } from "../processes/child.js";
import type { Round } from "../rounds.js";
import type { LoadOperations } from "./load-generator.js";
import type { LoadRequest } from "./load-request.js";
import type { Protocol } from "./open-load-connection.js";
import { roundResult } from "./round-result.js";

/** Connections that write at once, in every benchmark of writes. */
export const writers = 32;

/** A server under load, and its processes, whose processor time is measured. */
export interface LoadTarget {
  readonly port: number;
  /** The certificates of the clients; undefined for plain text. */
  readonly certificates: ClientCertificates | undefined;
  readonly pids: readonly number[];
}

/** 32 connections that write to one server. Objects that are created have numbers that go on from round to round. */
export class Writers {
  readonly #environment: BenchEnvironment;
  readonly #target: LoadTarget;
  readonly #load: Child<LoadOperations>;
  readonly #protocol: Protocol;
  #created = 0;

  constructor(
    environment: BenchEnvironment,
    target: LoadTarget,
    load: Child<LoadOperations>,
    protocol: Protocol = "HTTP/1.1",
  ) {
    this.#environment = environment;
    this.#target = target;
    this.#load = load;
    this.#protocol = protocol;
  }

  /** Creates `count` objects and changes nothing else. */
  async fill(request: LoadRequest, count: number): Promise<void> {
    await this.send(request, 201, count, this.#created);
    this.#created += count;
  }

  /** Sends `count` requests, with numbers from `firstNumber` on. */
  async send(request: LoadRequest, expectedCode: number, count: number, firstNumber = 0): Promise<void> {
    const connections = { ...this.#connections(this.#protocol), request, firstNumber, expectedCode, count };
    await this.#load.call("send", connections);
  }

  /** Rounds in which objects are created. */
  creating(request: LoadRequest, protocol: Protocol = this.#protocol): Round {
    return this.#numbered(request, 201, protocol);
  }

  /** Rounds of requests that are answered with 200, with numbers that go on. */
  answering(request: LoadRequest): Round {
    return this.#numbered(request, 200, this.#protocol);
  }

  /** Rounds in which objects that are there are written, from the first on; each round has a request of its own. */
  changing(request: () => LoadRequest): Round {
    return async () => {
      const result = await this.#run(request(), 200, 0, this.#protocol);
      return roundResult(result, result.answers);
    };
  }

  #numbered(request: LoadRequest, expectedCode: number, protocol: Protocol): Round {
    return async () => {
      const result = await this.#run(request, expectedCode, this.#created, protocol);
      this.#created = result.nextNumber;
      return roundResult(result, result.answers);
    };
  }

  #connections(protocol: Protocol) {
    const { port, certificates } = this.#target;
    return { port, certificates, protocol, connections: writers, streams: 1 } as const;
  }

  #run(request: LoadRequest, expectedCode: number, firstNumber: number, protocol: Protocol) {
    const { roundMs } = this.#environment;
    const time = { warmupMs: roundMs / 4, durationMs: roundMs, serverPids: this.#target.pids };
    return this.#load.call("run", { ...this.#connections(protocol), ...time, request, firstNumber, expectedCode });
  }
}
