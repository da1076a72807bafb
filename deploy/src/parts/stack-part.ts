import type { PartId } from "./part-id.js";

/** One process of the local stack. */
export interface StackPart {
  readonly id: PartId;
  /** Name for people, as in "the API server". */
  readonly name: string;
  readonly script: string;
  readonly flags: readonly string[];
  /** Both output streams are appended here. */
  readonly logFile: string;
  /** Port on 127.0.0.1; it answers `/readyz` there over HTTPS. */
  readonly port: number;
  /** A part that must be ready before this one is started. */
  readonly after?: StackPart;
}
