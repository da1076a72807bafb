import { unlessAborted } from "@gatehouse/component-base/time";
import type { Deadline } from "../until.js";
import type { ServerDataAccess, ServerRun, StartRun } from "./server-run.js";

/** A server that can be started again on the same port. */
export class RestartableServer {
  readonly #startRun: StartRun;
  readonly #writeLog: (text: string) => void;
  #run: ServerRun | undefined;
  #port = 0;

  constructor(startRun: StartRun, writeLog: (text: string) => void) {
    this.#startRun = startRun;
    this.#writeLog = writeLog;
  }

  /** The port of the first start; 0 before it. */
  get port(): number {
    return this.#port;
  }

  get pid(): number {
    return this.#run?.pid ?? 0;
  }

  hasEnded(): boolean {
    return this.#run?.hasEnded() ?? true;
  }

  /** The access to its data while it runs. Throws TypeError when it runs in a process of its own, or not at all. */
  get data(): ServerDataAccess {
    if (this.#run === undefined || this.#run.hasEnded()) {
      throw new TypeError("the control plane does not run");
    }
    if (this.#run.data === undefined) {
      throw new TypeError('the control plane runs in a process of its own; forks and snapshots need mode "in-process"');
    }
    return this.#run.data;
  }

  /** Starts the server with all its flags but the port, and waits until it serves. The first start finds a free port. */
  async start(flags: readonly string[], deadline: Deadline): Promise<void> {
    this.#run = await this.#startRun([`--secure-port=${this.#port}`, ...flags], this.#writeLog);
    this.#port = await unlessAborted(this.#run.serving, deadline.signal);
  }

  /** Ends the server with a signal; resolves to the exit code of its process. */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    return (await this.#run?.kill(signal)) ?? null;
  }
}
