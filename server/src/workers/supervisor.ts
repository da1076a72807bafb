import { randomBytes } from "node:crypto";
import type { Logger } from "@gatehouse/component-base/logs";
import { pause } from "@gatehouse/component-base/time";
import { type HeartbeatTimes, isSilent, nextBeat } from "./heartbeat.js";
import { Locks } from "./locks.js";
import type { FromWorker, Question, Recipients } from "./messages.js";
import { QuestionRelay } from "./question-relay.js";
import { serverIdentity } from "./server-identity.js";
import { ServerMetrics } from "./server-metrics.js";
import { SharedPort } from "./shared-port.js";
import { isLockTopic } from "./worker-link.js";
import { type WorkerEnd, WorkerProcess, type WorkerProgram } from "./worker-process.js";

/** The workers of a server. */
export interface SupervisorOptions {
  readonly count: number;
  readonly program: WorkerProgram;
  readonly logger: Logger;
  readonly heartbeat: HeartbeatTimes;
  /** The time in milliseconds before the next try after the first failed start; doubles with each. 200 when absent. */
  readonly firstRetryMs?: number;
  /** The time in milliseconds for which the port stays open when the server stops; 0 when absent. */
  readonly portDelayMs?: number;
  /** True if the port then stays open until all workers have ended their requests. */
  readonly keepsPortUntilDrained?: boolean;
}

/** Starts of a worker that may fail in a row; then the server ends. */
const maxFailedStarts = 5;
/** The length of the keys of TLS session tickets in bytes. */
const ticketKeysLength = 48;

/**
 * Keeps the workers of a server running. They start one after the other, so that what a first start makes (certificates,
 * keys, the data directory) is made by one. The first that serves runs the controllers; when it ends, another one does.
 */
export class Supervisor {
  /** Resolves to the address when the first worker serves. Rejects when it cannot start; it has said why. */
  readonly serving: Promise<{ readonly host: string; readonly port: number }>;
  readonly #options: SupervisorOptions;
  readonly #workers = new Map<number, WorkerProcess>();
  readonly #port: SharedPort;
  readonly #relay = new QuestionRelay();
  readonly #metrics: ServerMetrics;
  readonly #locks = new Locks<WorkerProcess>();
  readonly #facts = new Set<string>();
  readonly #identity = serverIdentity();
  readonly #ticketKeys = randomBytes(ticketKeysLength).toString("base64");
  readonly #stopping = new AbortController();
  readonly #failed = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  #leader: WorkerProcess | undefined;
  #address = { host: "", port: 0 };
  #wake: () => void = () => {};

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#port = new SharedPort(
      () => this.#takers,
      (error) => options.logger.error("a connection could not be accepted", { error }),
    );
    this.#metrics = new ServerMetrics((topic) => this.#relay.ask(this.#serving, topic, null));
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeat.everyMs);
    this.serving = this.#startFirst();
    this.serving.then(
      () => void this.#keepRunning(),
      () => {},
    );
  }

  /** The signal that aborts when a worker cannot be started again, so that the server must end. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Lets the workers finish, until the signal aborts; then ends them. Rejects when one did not end well. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    const workers = [...this.#workers.values()];
    const killAll = (): void => {
      for (const worker of workers) {
        worker.kill();
      }
    };
    signal.addEventListener("abort", killAll, { once: true });
    const serving = workers.filter(({ isServing }) => isServing);
    for (const worker of workers) {
      if (worker.isServing) {
        worker.send({ type: "stop" });
      } else {
        worker.kill();
      }
    }
    await this.#untilPortMayClose(serving);
    this.#port.close();
    const ends = await Promise.all(serving.map(({ ended }) => ended));
    await Promise.all(workers.map(({ ended }) => ended));
    signal.removeEventListener("abort", killAll);
    clearInterval(this.#heartbeat);
    if (ends.some(({ code }) => code !== 0) || this.failed.aborted) {
      throw new Error("not every worker has ended well");
    }
  }

  /** Resolves when new connections are not served any longer. */
  async #untilPortMayClose(serving: readonly WorkerProcess[]): Promise<void> {
    const { portDelayMs = 0, keepsPortUntilDrained = false } = this.#options;
    const ended = serving.map((worker) => worker.ended);
    if (ended.length > 0 && keepsPortUntilDrained) {
      // A worker with requests under way still answers new ones.
      await Promise.all(ended);
    } else if (ended.length > 0 && portDelayMs > 0) {
      const early = new AbortController();
      await Promise.race([Promise.all(ended), pause(portDelayMs, early.signal)]);
      early.abort();
    }
  }

  get #serving(): readonly WorkerProcess[] {
    return [...this.#workers.values()].filter(({ isServing }) => isServing);
  }

  /** The workers that get connections: those that answer, or all if none does at the moment. */
  get #takers(): readonly WorkerProcess[] {
    const serving = this.#serving;
    const answering = serving.filter((worker) => !isSilent(worker));
    return answering.length > 0 ? answering : serving;
  }

  /** Sends each worker a heartbeat, and ends one that has hung, so that another one takes its place. */
  #beat(): void {
    const { heartbeat, logger } = this.#options;
    const hung = nextBeat([...this.#workers.values()], heartbeat);
    if (hung !== undefined) {
      logger.error("a worker has hung, and is ended", {
        worker: hung.number,
        pid: hung.pid,
        withinMs: Math.round(heartbeat.beats * heartbeat.everyMs),
      });
      hung.kill();
    }
  }

  async #startFirst(): Promise<{ readonly host: string; readonly port: number }> {
    const end = await this.#start(1);
    if (end !== undefined) {
      throw new Error("the first worker could not start");
    }
    return this.#address;
  }

  /** Starts the workers that are missing, one after the other, until the server stops. */
  async #keepRunning(): Promise<void> {
    const { logger, firstRetryMs = 200 } = this.#options;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      const missing = this.#missing();
      if (missing === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const end = await this.#start(missing);
      if (end === undefined || signal.aborted) {
        failures = 0;
        continue;
      }
      failures++;
      if (failures === maxFailedStarts) {
        logger.error("a worker could not start several times in a row; the server ends", { worker: missing, failures });
        this.#failed.abort();
        return;
      }
      await pause(firstRetryMs * 2 ** (failures - 1), signal);
    }
  }

  /** Returns the lowest number without a worker. */
  #missing(): number | undefined {
    for (let number = 1; number <= this.#options.count; number++) {
      if (!this.#workers.has(number)) {
        return number;
      }
    }
    return undefined;
  }

  /** Starts a worker. Resolves when it serves, or has ended before: then with its end. */
  async #start(number: number): Promise<WorkerEnd | undefined> {
    const { logger } = this.#options;
    const worker = new WorkerProcess(number, this.#options, (from, message) => this.#receive(from, message));
    this.#workers.set(number, worker);
    void worker.ended.then((end) => this.#ended(worker, end));
    for (const name of this.#facts) {
      worker.send({ type: "fact", name });
    }
    const end = await worker.started;
    if (end === undefined) {
      logger.info("a worker serves", { worker: number, pid: worker.pid });
      this.#elect();
      this.#port.handOver();
    }
    return end;
  }

  #ended(worker: WorkerProcess, { code, signal }: WorkerEnd): void {
    const { logger } = this.#options;
    this.#workers.delete(worker.number);
    this.#metrics.ended(worker);
    this.#relay.ended(worker);
    this.#locks.ended(worker);
    const isStopping = this.#stopping.signal.aborted;
    // The first worker has said itself why it could not start.
    if (!isStopping && this.#address.port !== 0) {
      logger.error("a worker has ended; another one takes its place", {
        worker: worker.number,
        pid: worker.pid,
        code,
        signal,
      });
    }
    if (this.#leader === worker) {
      this.#leader = undefined;
      if (!isStopping) {
        this.#elect();
      }
    }
    this.#wake();
  }

  /** Lets a worker run the controllers if none does: a worker has ended when another one is chosen. */
  #elect(): void {
    const [chosen] = this.#serving;
    if (this.#leader === undefined && chosen !== undefined) {
      this.#leader = chosen;
      chosen.send({ type: "lead", identity: this.#identity });
      this.#options.logger.info("a worker runs the controllers", { worker: chosen.number });
    }
  }

  #receive(worker: WorkerProcess, message: FromWorker): void {
    switch (message.type) {
      case "listen":
        void this.#listen(worker, message.host, message.port);
        break;
      case "fact":
        this.#spread(worker, message.name);
        break;
      case "ask":
        void this.#relayQuestion(worker, message);
        break;
      case "answer":
        this.#relay.answered(worker, message.id, message.body);
        break;
      case "tell":
        this.#tell(worker, message.topic);
        break;
      case "unlock":
        this.#locks.release(message.name, worker);
        break;
      case "serving":
      case "alive":
      case "taken":
      case "closed":
        break; // WorkerProcess has noted it.
    }
  }

  async #listen(worker: WorkerProcess, host: string, port: number): Promise<void> {
    try {
      this.#address = { host, port: await this.#port.open(host, port) };
      worker.send({ type: "listening", port: this.#address.port, ticketKeys: this.#ticketKeys });
    } catch (error) {
      const { code = "", message } = error as NodeJS.ErrnoException;
      worker.send({ type: "not-listening", code, message });
    }
  }

  #spread(from: WorkerProcess, name: string): void {
    this.#facts.add(name);
    for (const worker of this.#workers.values()) {
      if (worker !== from) {
        worker.send({ type: "fact", name });
      }
    }
  }

  #tell(from: WorkerProcess, topic: string): void {
    for (const worker of this.#serving) {
      if (worker !== from) {
        worker.send({ type: "told", topic });
      }
    }
  }

  async #relayQuestion(from: WorkerProcess, { id, topic, body, to }: Question & Recipients): Promise<void> {
    if (isLockTopic(topic)) {
      await this.#locks.acquire(topic, from);
      from.send({ type: "answer", id, body: null });
      return;
    }
    if (to === "parent") {
      from.send({ type: "answer", id, body: await this.#metrics.render(topic) });
      return;
    }
    const all = [...this.#workers.values()];
    const asked = all.filter((worker) => worker !== from && (to === "others" || worker === this.#leader));
    const { answers, missing } = await this.#relay.ask(asked, topic, body);
    from.send({ type: "answer", id, body: { answers: [...answers], missing } });
  }
}
