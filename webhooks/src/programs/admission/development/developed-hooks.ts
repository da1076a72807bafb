import type { CommandIo } from "@gatehouse/component-base/commands";
import { unlessAborted } from "@gatehouse/component-base/time";
import { openCluster } from "../../../toolkit/cluster/open-cluster.js";
import { takeBackRegistration } from "../registration/registered.js";
import { runCommandLine, runProgram, type ServedHooks, serveHooks } from "./hook-process.js";

/** Options of `DevelopedHooks`: the build, the arguments of `serve`, and those of `register`. */
export interface DevelopedHooksOptions {
  /** Name of the registration. */
  readonly name: string;
  /** Command line that is run before each start; undefined for none. */
  readonly build: string | undefined;
  readonly kubeconfigFile: string | undefined;
  /** Arguments of `serve`. */
  readonly serving: readonly string[];
  /** Arguments of `register`. */
  readonly registration: readonly string[];
  readonly io: CommandIo;
}

/** Serves hooks in a process that is replaced at each start, and keeps their registration up to date. */
export class DevelopedHooks {
  readonly #options: DevelopedHooksOptions;
  readonly #ending = new AbortController();
  #served: ServedHooks | undefined;
  #registering: Promise<boolean> | undefined;

  constructor(options: DevelopedHooksOptions) {
    this.#options = options;
  }

  /** Builds, serves and registers. Resolves to false when one of them fails; the reason has been printed then. */
  async start(): Promise<boolean> {
    const { build, serving, registration, io } = this.#options;
    const { signal } = this.#ending;
    if (build !== undefined && !(await runCommandLine(build, io.env, signal))) {
      this.#tell(
        this.#served === undefined ? "the build has failed" : "the build has failed; what was served before goes on",
      );
      return false;
    }
    await this.#served?.end(signal);
    if (signal.aborted) {
      return false;
    }
    const onLost = (): void => this.#tell("the hooks have ended by themselves; the next change starts them again");
    this.#served = serveHooks(serving, io.env, onLost);
    if (!(await this.#served.listening)) {
      this.#tell(
        this.#registering === undefined
          ? "the hooks could not be served, and were not registered"
          : "the hooks could not be served: until a change mends that, requests that concern them fail",
      );
      return false;
    }
    if (signal.aborted) {
      return false;
    }
    // No signal ends this: a registration that is cut off could still be applied after its removal.
    this.#registering = runProgram(["register", ...registration], io.env);
    return await this.#registering;
  }

  /**
   * Removes the registration, then ends the hooks. Resolves to false when it could not be removed; the reason has been
   * printed then.
   */
  async end(signal: AbortSignal, takeBackMs: number): Promise<boolean> {
    this.#ending.abort();
    const isTakenBack = await this.#takeBack(AbortSignal.any([signal, AbortSignal.timeout(takeBackMs)]));
    await this.#served?.end(signal);
    return isTakenBack;
  }

  async #takeBack(signal: AbortSignal): Promise<boolean> {
    const { name, kubeconfigFile, io } = this.#options;
    if (this.#registering === undefined) {
      return true;
    }
    try {
      await unlessAborted(this.#registering, signal);
      using cluster = await openCluster({ kubeconfigFile, env: io.env, signal });
      for (const object of await takeBackRegistration(cluster, name, [], signal)) {
        io.print(`${object} taken back`);
      }
      return true;
    } catch (error) {
      const reason = signal.aborted ? "the API server has not answered in time" : (error as Error).message;
      io.printError(`the registration could not be taken back: ${reason}`);
      io.printError(`once the API server is there: gatehouse-admission unregister --name=${name}`);
      return false;
    }
  }

  /** Prints a line, but none about the consequences of ending. */
  #tell(line: string): void {
    if (!this.#ending.signal.aborted) {
      this.#options.io.printError(line);
    }
  }
}
