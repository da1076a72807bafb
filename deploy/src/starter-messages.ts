import type { PartId } from "./parts/part-id.js";
import type { StackPart } from "./parts/stack-part.js";

/** A part that the API server can do without. */
export type OptionalPart = "admission" | "image-review" | "audit-sink";

/** A part that is started only when it is asked for. */
export type AdditionalPart = "authorization" | "token-review";

/** The stack that the starter prepares, and its folder. */
export interface StackRequest {
  /** An absolute path; the folder is there, and locked. */
  readonly dataDir: string;
  /** Port of the API server; 0 picks a free one. */
  readonly port: number;
  /** Optional parts that are not to be started. */
  readonly without: readonly OptionalPart[];
  /** Additional parts to start. The token review server brings the identity provider with it. */
  readonly with: readonly AdditionalPart[];
  /** Starts an identity provider to log in at, too. */
  readonly withOidc: boolean;
  /** Runs in the place of gatehouse-apiserver. */
  readonly serverScript: string | undefined;
  /** Time at which the command was given, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Milliseconds that a process may take until it is ready. */
  readonly readyTimeoutMs: number;
}

/** A message from the starter to the supervisor. */
export type StarterMessage =
  /** Sent when all files are written that the processes need to start. */
  | { readonly kind: "prepared"; readonly parts: readonly StackPart[] }
  | { readonly kind: "ready"; readonly part: PartId }
  /** A sentence for the person at the keyboard. */
  | { readonly kind: "note"; readonly sentence: string }
  /** The stack can be used. */
  | { readonly kind: "started"; readonly greeting: string }
  | { readonly kind: "failed"; readonly message: string };

/** A message from the supervisor to the starter. */
export interface StopStarting {
  readonly kind: "stop";
}
