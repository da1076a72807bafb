import type { InProcessOptions, InProcessServer } from "@gatehouse/server/in-process";

/** One run of an API server, from its start to its end. */
export interface ServerRun {
  /** Id of the process that serves. */
  readonly pid: number;
  /** Resolves to the port when requests are served. Rejects when the start has failed. */
  readonly serving: Promise<number>;
  /** Tells whether the server has ended, be it by itself. */
  hasEnded(): boolean;
  /**
   * Ends the server and resolves when it has ended: to the exit code of its process, or `null` when the signal ended it.
   * A server in this process stops as by SIGTERM, and rejects with TypeError on any other signal.
   */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** The access to the data of a server in this process; absent for one in a process of its own. */
  readonly data?: ServerDataAccess;
}

/** Access to everything that a server in this process stores. */
export interface ServerDataAccess {
  /** Makes everything that waits for a time look at the clock, after it has been set ahead. */
  clockAdvanced(): void;
  /** Cuts the connections of requests under way that match; returns how many there were. */
  cut(matches: (request: FaultedRequest) => boolean): number;
  /** Resolves to true if every check behind `/readyz` succeeds now. */
  isReady(): Promise<boolean>;
  /** Returns everything that the server stores, as it is now. */
  image(): Promise<ServerImage>;
  /** Writes the content of an image back under new revisions, and ends the watches under way with 410. */
  rewind(image: ServerImage): Promise<void>;
}

/** The content of a server in this process at one revision. */
export type ServerImage = Awaited<ReturnType<InProcessServer["image"]>>;

/** Starts a server with flags. Its log goes to `writeLog`, in pieces as they come. */
export type StartRun = (flags: readonly string[], writeLog: (text: string) => void) => Promise<ServerRun>;

/** Parts that the kit gives to a server in this process. */
export type RunParts = Omit<InProcessOptions, "writeLog">;

type FaultsOf = NonNullable<InProcessOptions["faultsOf"]>;

/** The attributes of a request by which faults are chosen. */
export type FaultedRequest = Parameters<FaultsOf>[0];

/** The faults of one request. */
export type RequestFault = NonNullable<ReturnType<FaultsOf>>;

/** A request and its answer, as the server hands them over. */
export type RecordedExchange = Parameters<NonNullable<InProcessOptions["recorder"]>["record"]>[0];
