import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import type { Beating } from "./heartbeat.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { placeText } from "./worker-place.js";

/** The program of a worker. */
export interface WorkerProgram {
  /** The path of the script. */
  readonly script: string;
  /** The arguments of the server. */
  readonly argv: readonly string[];
}

/** The end of a worker: its exit code, or the signal that ended it. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A worker, as its parent sees it. */
export class WorkerProcess implements Beating {
  readonly number: number;
  /** Resolves when the worker serves, or has ended before: then with its end. */
  readonly started: Promise<WorkerEnd | undefined>;
  readonly ended: Promise<WorkerEnd>;
  /** True while the worker serves. */
  isServing = false;
  /** True once the worker has ended. */
  hasEnded = false;
  unansweredBeats = 0;
  readonly #child: ChildProcess;
  /** Connections that were sent, and which the worker does not have yet. */
  readonly #sent = new Map<number, Socket>();
  #connections = 0;
  #ids = 0;

  constructor(
    number: number,
    { count, program: { script, argv } }: { readonly count: number; readonly program: WorkerProgram },
    onMessage: (worker: WorkerProcess, message: FromWorker) => void,
  ) {
    this.number = number;
    this.#child = fork(script, ["worker", placeText({ number, count }), ...argv], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    // A worker that cannot be started, or be sent anything, ends: that is seen below.
    this.#child.on("error", () => this.kill());
    this.ended = new Promise((resolve) => {
      this.#child.once("exit", (code, signal) => {
        this.hasEnded = true;
        this.isServing = false;
        for (const connection of this.#sent.values()) {
          connection.destroy();
        }
        resolve({ code, signal });
      });
      this.#child.once("error", () => this.#child.pid === undefined && resolve({ code: 1, signal: null }));
    });
    const serving = new Promise<undefined>((resolve) => {
      this.#child.on("message", (message) => {
        const from = message as FromWorker;
        this.#note(from);
        if (from.type === "serving") {
          resolve(undefined);
        }
        onMessage(this, from);
      });
    });
    this.started = Promise.race([serving, this.ended]);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The number of connections that the worker has, or that are on their way to it. */
  get connections(): number {
    return this.#connections;
  }

  send(message: ToWorker): void {
    if (this.#child.connected) {
      this.#child.send(message, (error) => error !== null && this.kill());
    }
  }

  /** Hands a connection over; it is closed when the worker ends before it has it. */
  hand(connection: Socket): void {
    const id = ++this.#ids;
    this.#connections++;
    this.#sent.set(id, connection);
    if (!this.#child.connected) {
      connection.destroy();
      return;
    }
    this.#child.send({ type: "connection", id } satisfies ToWorker, connection, { keepOpen: true }, (error) => {
      if (error !== null) {
        this.#release(id);
      }
    });
  }

  beat(): void {
    this.send({ type: "beat" });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #note(message: FromWorker): void {
    if (message.type === "serving") {
      this.isServing = true;
    } else if (message.type === "alive") {
      this.unansweredBeats = 0;
    } else if (message.type === "taken") {
      this.#release(message.id);
    } else if (message.type === "closed") {
      this.#connections--;
    }
  }

  /** Closes the parent's end of a connection. */
  #release(id: number): void {
    this.#sent.get(id)?.destroy();
    this.#sent.delete(id);
  }
}
