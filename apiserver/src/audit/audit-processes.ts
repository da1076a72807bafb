/** The processes of a server that record audit events, as one of them sees them. */
export interface AuditProcesses {
  /** The number of this process, from 1. */
  readonly number: number;
  /** The number of processes. */
  readonly count: number;
  /** Returns the sharing of the file that `name` stands for. To be called once for each file. */
  shareFile(name: string): FileSharing;
}

/** A file that several processes append to. */
export interface FileSharing {
  /** Runs `work` while no other process runs such work on the file. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Resolves when every other process has ended the writes that it had begun before. Rejects when one does not answer in
   * time.
   */
  othersHaveWritten(): Promise<void>;
  /** Sets the function by which the others learn that the writes of this process have ended. */
  onWait(written: () => Promise<void>): void;
}
