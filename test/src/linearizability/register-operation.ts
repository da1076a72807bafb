/**
 * One request for one object, which is taken for a register: absent, or present with a value and a resourceVersion. Every
 * write must have a value of its own, so that a read tells which write it has seen.
 */
export interface RegisterOperation {
  readonly kind: "create" | "update" | "delete" | "get";
  /** The value that was written, or that a successful read returned. */
  readonly value?: string | undefined;
  /** The resourceVersion that an update or a deletion demanded; undefined for one that takes whatever is there. */
  readonly expected?: number | undefined;
  /**
   * The outcome. `conflict`: the object was there already (create), or had another version than the demanded one.
   * `unknown`: no answer, or one that says nothing; the request may have taken effect at any time after its call, or never.
   */
  readonly outcome: "ok" | "missing" | "conflict" | "unknown";
  /** The resourceVersion in the answer, or the one that a watch has told of an unknown write. Deletions have none. */
  readonly version?: number | undefined;
  /** The place of the call in the order of all calls and returns. */
  readonly calledAt: number;
  /** The place of the return in that order. */
  readonly returnedAt: number;
}

/** Reports whether an operation would change the register if it took effect. */
export function isWrite({ kind }: RegisterOperation): boolean {
  return kind !== "get";
}
