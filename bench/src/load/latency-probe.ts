import { setTimeout as sleep } from "node:timers/promises";
import type { ClientCertificates } from "../certificates.js";
import { readClientTls } from "../processes/client-tls.js";
import { serveOperations } from "../processes/operations.js";
import { median } from "../rounds.js";
import { Http1Connection } from "./http1-connection.js";

/** Time in milliseconds between an answer and the next question. */
const pauseMs = 2;
/** Asks nothing of the store, nor of any object. */
const ping = "/livez/ping";

/** Latencies of the questions since the last reset, in milliseconds. */
export interface ProbedLatency {
  readonly median: number;
  /** The time that 99 of 100 questions took at most. */
  readonly p99: number;
  /** The longest, with the age of a question that is still open. */
  readonly worst: number;
}

let latencies: number[] = [];
let askedAt: number | undefined;

/** The server that is asked, as whom, and for what; for nothing at all by default. */
interface Questions {
  readonly port: number;
  readonly certificates: ClientCertificates;
  readonly path?: string;
}

function open({ port, certificates, path = ping }: Questions): Promise<void> {
  return new Promise((resolve, reject) => {
    const ask = (): void => {
      askedAt = performance.now();
      connection.send(0);
    };
    const connection = new Http1Connection({
      port,
      tls: readClientTls(certificates),
      request: { method: "GET", path },
      expectedCode: 200,
      onBody: () => {},
      onAnswer() {
        latencies.push(performance.now() - (askedAt ?? Number.NaN));
        askedAt = undefined;
        setTimeout(ask, pauseMs);
        resolve();
      },
      // The server has gone; whoever measures sees that for himself.
      onError: reject,
    });
    void connection.connected().then(ask);
  });
}

function seen(): ProbedLatency {
  const pending = askedAt === undefined ? 0 : performance.now() - askedAt;
  return {
    median: latencies.length === 0 ? pending : median(latencies),
    p99: latencies.toSorted((one, other) => one - other)[Math.floor(latencies.length * 0.99)] ?? pending,
    worst: latencies.reduce((worst, latency) => Math.max(worst, latency), pending),
  };
}

const operations = {
  open,
  reset(): void {
    latencies = [];
  },
  seen,
  /** Resolves when the server has answered without delay for a while; to false if it does not come to that in time. */
  async settled({ withinMs }: { readonly withinMs: number }): Promise<boolean> {
    const until = performance.now() + withinMs;
    while (performance.now() < until) {
      latencies = [];
      await sleep(200);
      if (latencies.length > 10 && seen().worst < 50) {
        return true;
      }
    }
    return false;
  },
};

export type LatencyProbeOperations = typeof operations;

serveOperations(operations);
