import { setTimeout as sleep } from "node:timers/promises";
import type { ClientCertificates } from "../certificates.js";
import { readClientTls } from "../processes/client-tls.js";
import { serveOperations } from "../processes/operations.js";
import { processorSeconds } from "../processes/process-usage.js";
import { ClosedLoop, type ClosedLoopOptions } from "./closed-loop.js";
import type { LoadRequest } from "./load-request.js";
import { StreamGroup, type StreamGroupOptions } from "./stream-group.js";

/** The load generator: a process of its own, the same for both sides of every comparison. */
export interface MeasuredTime {
  readonly warmupMs: number;
  readonly durationMs: number;
  /** The processes under load, whose processor time is measured, too. */
  readonly serverPids: readonly number[];
}

export interface RequestLoad extends Omit<ClosedLoopOptions, "tls">, MeasuredTime {
  /** The certificates of the clients; undefined for plain text. */
  readonly certificates: ClientCertificates | undefined;
}

/** A load that goes on until it is ended. */
export interface BackgroundLoad extends Omit<ClosedLoopOptions, "tls"> {
  readonly certificates: ClientCertificates | undefined;
}

/** A load of a fixed number of requests, however long that takes. */
export interface CountedLoad extends Omit<ClosedLoopOptions, "tls"> {
  readonly certificates: ClientCertificates | undefined;
  readonly count: number;
}

/** Counts of the measured time. */
export interface LoadResult {
  readonly seconds: number;
  readonly answers: number;
  readonly bytes: number;
  readonly events: number;
  /** Share of one core that this process used; near 1 it was itself at its limit. */
  readonly busy: number;
  /** Processor time of the processes under load, all their threads together. */
  readonly serverProcessorSeconds: number;
  /** The first number that no request has used. */
  readonly nextNumber: number;
  /** Watches that the server has ended. */
  readonly endedStreams: number;
}

export interface StreamOpening extends Omit<StreamGroupOptions, "tls"> {
  readonly certificates: ClientCertificates;
}

export interface StreamLoad extends MeasuredTime {
  /** The writers whose changes the streams show. Left out where the server writes of itself. */
  readonly writer?: {
    /** Number of connections. */
    readonly connections: number;
    readonly port: number;
    readonly certificates: ClientCertificates;
    readonly request: LoadRequest;
    readonly firstNumber: number;
  };
}

/** A stream that has not received everything after this time never will. */
const deliveryTimeoutMs = 10_000;

let streams = new StreamGroup();

async function measure(
  { warmupMs, durationMs, serverPids }: MeasuredTime,
  loop: ClosedLoop | undefined,
  failure: Promise<void>,
): Promise<LoadResult> {
  await Promise.race([sleep(warmupMs), failure]);
  const serverBefore = await processorSeconds(serverPids);
  const from = { at: performance.now(), answers: loop?.answers ?? 0, bytes: loop?.bytes ?? 0, events: streams.events };
  const cpuBefore = process.cpuUsage();
  await Promise.race([sleep(durationMs), failure]);
  const seconds = (performance.now() - from.at) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  const result = {
    seconds,
    answers: (loop?.answers ?? 0) - from.answers,
    bytes: (loop?.bytes ?? 0) - from.bytes,
    events: streams.events - from.events,
    busy: (cpu.user + cpu.system) / 1e6 / seconds,
    nextNumber: loop?.nextNumber ?? 0,
    endedStreams: 0,
  };
  return { ...result, serverProcessorSeconds: (await processorSeconds(serverPids)) - serverBefore };
}

function tlsOf(certificates: ClientCertificates | undefined): ClosedLoopOptions["tls"] {
  return certificates === undefined ? undefined : readClientTls(certificates);
}

async function measureLoop(options: RequestLoad): Promise<LoadResult> {
  const loop = new ClosedLoop({ ...options, tls: tlsOf(options.certificates) });
  try {
    const { finished } = await loop.start();
    const result = await measure(options, loop, finished);
    loop.stop();
    await finished;
    return { ...result, nextNumber: loop.nextNumber };
  } finally {
    loop.close();
  }
}

async function sendCounted(options: CountedLoad): Promise<void> {
  const loop = new ClosedLoop({ ...options, tls: tlsOf(options.certificates) });
  try {
    const { finished } = await loop.start();
    await finished;
  } finally {
    loop.close();
  }
}

/**
 * Measures a writer like `measureLoop`; afterwards every stream must have received every new object, unless the server has
 * ended some of them.
 */
async function measureWriter(load: StreamLoad, writer: NonNullable<StreamLoad["writer"]>): Promise<LoadResult> {
  const tls = readClientTls(writer.certificates);
  const loop = new ClosedLoop({ ...writer, tls, protocol: "HTTP/1.1", streams: 1, expectedCode: 201 });
  const before = streams.events;
  try {
    const { finished } = await loop.start();
    const result = await measure(load, loop, finished);
    loop.stop();
    await finished;
    await delivered(before + loop.answers * streams.size);
    return { ...result, nextNumber: loop.nextNumber, endedStreams: streams.ended };
  } finally {
    loop.close();
  }
}

async function delivered(events: number): Promise<void> {
  const until = performance.now() + deliveryTimeoutMs;
  while (streams.events !== events && streams.ended === 0) {
    if (performance.now() > until) {
      throw new Error(`the streams received ${streams.events} events of ${events}`);
    }
    await sleep(10);
  }
}

/** The load that goes on beside what another process measures. */
let background: { readonly loop: ClosedLoop; readonly finished: Promise<void> } | undefined;

/** Begins a load. Resolves when all its connections are open and have sent a request. */
async function begin({ certificates, ...options }: BackgroundLoad): Promise<void> {
  const loop = new ClosedLoop({ ...options, tls: tlsOf(certificates) });
  background = { loop, ...(await loop.start()) };
}

/** Returns the number of answers so far to the load that `begin` has begun. */
function answered(): number {
  return background?.loop.answers ?? 0;
}

/** Ends the load that `begin` has begun. Resolves to the number of its answers. */
async function end(): Promise<number> {
  if (background === undefined) {
    throw new TypeError("no load has begun");
  }
  const { loop, finished } = background;
  background = undefined;
  loop.stop();
  await finished;
  loop.close();
  return loop.answers;
}

const operations = {
  run: measureLoop,
  begin,
  answered,
  end,
  send: sendCounted,
  openStreams({ certificates, ...opening }: StreamOpening): Promise<void> {
    streams = new StreamGroup();
    return streams.open({ ...opening, tls: readClientTls(certificates) });
  },
  runStreams(load: StreamLoad): Promise<LoadResult> {
    return load.writer === undefined
      ? measure(load, undefined, new Promise(() => {}))
      : measureWriter(load, load.writer);
  },
  closeStreams(): void {
    streams.close();
  },
};

export type LoadOperations = typeof operations;

serveOperations(operations);
