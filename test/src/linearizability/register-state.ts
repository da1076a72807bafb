import type { RegisterOperation } from "./register-operation.js";

/** The number of operations without an outcome, and without an observer, that have taken effect. */
export interface UsedUnknown {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** A register, and how far the search has come with what concerns the order of its writes. */
export interface RegisterState {
  readonly present: boolean;
  /** The value; undefined when the register is absent, and when it was written by an operation whose value nobody has seen. */
  readonly value: string | undefined;
  /** The version; undefined in the same cases. */
  readonly version: number | undefined;
  /** Index of the next write in the order of known versions. */
  readonly nextVersion: number;
  readonly used: UsedUnknown;
}

export const initialState: RegisterState = {
  present: false,
  value: undefined,
  version: undefined,
  nextVersion: 0,
  used: { create: 0, update: 0, delete: 0 },
};

/** Reports whether no more of any kind are used than by the other, so that all that can follow the other can follow this. */
export function usesNoMore(one: UsedUnknown, other: UsedUnknown): boolean {
  return one.create <= other.create && one.update <= other.update && one.delete <= other.delete;
}

/** Reports whether an operation that changes nothing has the right answer in this state. */
export function answersNow(
  { kind, outcome, expected, value, version }: RegisterOperation,
  state: RegisterState,
): boolean {
  switch (outcome) {
    case "missing":
      return kind !== "create" && !state.present;
    case "conflict":
      return state.present && (kind === "create" || (expected !== undefined && state.version !== expected));
    default:
      return kind === "get" && state.present && state.value === value && state.version === version;
  }
}

/** Reports whether a write would succeed in this state. */
export function succeedsIn({ kind, expected }: RegisterOperation, { present, version }: RegisterState): boolean {
  return kind === "create" ? !present : present && (expected === undefined || expected === version);
}

/** Returns the state after a successful write with a known version, of those in `versions`, or a deletion; undefined if it cannot come next. */
export function writesNow(
  versions: readonly number[],
  operation: RegisterOperation,
  state: RegisterState,
): RegisterState | undefined {
  if (operation.outcome !== "ok" || operation.kind === "get" || !succeedsIn(operation, state)) {
    return undefined;
  }
  if (operation.kind === "delete") {
    return absent(state);
  }
  return versions[state.nextVersion] === operation.version
    ? {
        ...state,
        present: true,
        value: operation.value,
        version: operation.version,
        nextVersion: state.nextVersion + 1,
      }
    : undefined;
}

/** Returns the state after a deletion. */
export function absent(state: RegisterState): RegisterState {
  return { ...state, present: false, value: undefined, version: undefined };
}
