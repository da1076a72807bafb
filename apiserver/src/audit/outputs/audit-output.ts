import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import type { Problem } from "@gatehouse/component-base/problems";
import type { ServerLog } from "../../logs/server-log.js";
import type { MaybePromise } from "../../request/handler.js";
import type { AuditBackend, AuditLosses } from "../audit-backend.js";
import type { AuditProcesses } from "../audit-processes.js";

/** The parts that outputs of audit events are opened with. */
export interface AuditOutputParts {
  /** Is told of every event that is not recorded. */
  readonly losses: AuditLosses;
  /** The signal that aborts when the time for the last deliveries is over. */
  readonly giveUp: AbortSignal;
  readonly log: ServerLog;
  /** The processes of the server, each of which opens the output; undefined for a server of one process. */
  readonly processes?: AuditProcesses | undefined;
  /** Takes what must be closed when the output itself is closed. */
  readonly onClose: (close: () => PromiseLike<void> | void) => void;
}

/**
 * An output of audit events with its settings, not open yet.
 *
 * @example
 * ```ts
 * const toMemory = (events: AuditEvent[]): AuditOutput => ({
 *   name: "memory",
 *   open: () => ({ name: "memory", process: (more) => events.push(...more) > 0, async close() {} }),
 * });
 * ```
 */
export interface AuditOutput {
  /** The name of the output in metrics and logs. */
  readonly name: string;
  /** Opens the output, once. Throws a ConfigurationError when its settings cannot be used. */
  open(parts: AuditOutputParts): MaybePromise<AuditBackend>;
}

/** A sort of outputs that flags ask for: its flags, and how an output is made of their values. */
export interface AuditOutputType<F extends FlagTable, O extends AuditOutput = AuditOutput> {
  readonly name: string;
  readonly flags: F;
  /** Returns the output that the flags ask for; undefined for none. Adds problems, each with its flag, to the list. */
  resolve(flags: FlagValues<F>, problems: Problem[]): O | undefined;
}
