import type { AuditProcesses } from "../audit/audit-processes.js";
import type { ConnectionSource } from "../http/connection-source.js";

/** The processes that serve one port together, as one of them sees them. */
export interface ProcessGroup extends AuditProcesses {
  /** The connections that this process serves. */
  readonly connections: ConnectionSource;
  /**
   * Returns a function that renders the metrics of all processes, in Prometheus text format 0.0.4. `own` renders those of
   * this process at the same path.
   */
  renderAll(path: string, own: () => Promise<string>): () => Promise<string>;
}
