import { isWrite, type RegisterOperation } from "./register-operation.js";
import { absent, type RegisterState, succeedsIn, type UsedUnknown } from "./register-state.js";

/** The history of one register, sorted for the search. */
export interface PreparedHistory {
  /** Operations with an outcome, by the time of their call. */
  readonly answered: readonly RegisterOperation[];
  /** Versions of all writes whose version is known, ascending. */
  readonly versions: readonly number[];
  /** The states after one write without an outcome, of those that were called before `now`. */
  unansweredWrites(state: RegisterState, now: number): RegisterState[];
}

/** Prepares a history. Reports as a problem what no order can explain. */
export function prepareHistory(
  operations: readonly RegisterOperation[],
): PreparedHistory | { readonly problem: string } {
  const byCall = [...operations].sort((a, b) => a.calledAt - b.calledAt);
  const answered = byCall.filter(({ outcome }) => outcome !== "unknown");
  const written = new Map<string, RegisterOperation>();
  const versionOf = new Map<string, number>();
  for (const operation of byCall) {
    const { kind, value, version, outcome } = operation;
    if (value !== undefined && isWrite(operation)) {
      written.set(value, operation);
    }
    if (value !== undefined && version !== undefined) {
      const other = versionOf.get(value);
      if (other !== undefined && other !== version) {
        return { problem: `${value} has two versions, ${other} and ${version}: ${JSON.stringify(operation)}` };
      }
      versionOf.set(value, version);
    }
    if (kind !== "get" && kind !== "delete" && outcome === "ok" && version === undefined) {
      return { problem: `a write without a version: ${JSON.stringify(operation)}` };
    }
  }
  for (const value of versionOf.keys()) {
    if (!written.has(value)) {
      return { problem: `${value} was read, and never written` };
    }
  }
  const versions = [...versionOf.values()].sort((a, b) => a - b);
  const twice = versions.find((version, index) => version === versions[index - 1]);
  if (twice !== undefined) {
    return { problem: `two values have the version ${twice}` };
  }
  const unknown = byCall.filter((operation) => operation.outcome === "unknown" && isWrite(operation));
  return { answered, versions, unansweredWrites: unansweredWrites(unknown, versionOf, versions) };
}

/**
 * Finds the unanswered writes that may come next. Those whose value somebody has seen have a version, hence a place in the
 * order. The others are interchangeable when they demand no version; one that does can succeed once only, as its version
 * does not come again.
 */
function unansweredWrites(
  unknown: readonly RegisterOperation[],
  versionOf: ReadonlyMap<string, number>,
  versions: readonly number[],
): PreparedHistory["unansweredWrites"] {
  const observed = new Map<number, RegisterOperation>();
  const demanding = new Map<number, RegisterOperation[]>();
  const free: Record<keyof UsedUnknown, RegisterOperation[]> = { create: [], update: [], delete: [] };
  for (const operation of unknown) {
    const { kind, value, expected } = operation;
    const version = value === undefined ? undefined : versionOf.get(value);
    if (version !== undefined) {
      observed.set(version, operation);
    } else if (expected !== undefined) {
      demanding.set(expected, [...(demanding.get(expected) ?? []), operation]);
    } else if (kind !== "get") {
      free[kind].push(operation);
    }
  }
  return (state, now) => {
    const next: RegisterState[] = [];
    for (const kind of ["create", "update", "delete"] as const) {
      const operation = free[kind][state.used[kind]];
      if (operation !== undefined && operation.calledAt <= now && succeedsIn(operation, state)) {
        next.push({ ...unobserved(operation, state), used: { ...state.used, [kind]: state.used[kind] + 1 } });
      }
    }
    for (const operation of (state.version === undefined ? undefined : demanding.get(state.version)) ?? []) {
      if (operation.calledAt <= now && succeedsIn(operation, state)) {
        next.push(unobserved(operation, state));
      }
    }
    const version = versions[state.nextVersion];
    const operation = version === undefined ? undefined : observed.get(version);
    if (operation !== undefined && operation.calledAt <= now && succeedsIn(operation, state)) {
      next.push({ ...state, present: true, value: operation.value, version, nextVersion: state.nextVersion + 1 });
    }
    return next;
  };
}

/** The state after a write of which nobody has seen the value. */
function unobserved({ kind }: RegisterOperation, state: RegisterState): RegisterState {
  return kind === "delete" ? absent(state) : { ...state, present: true, value: undefined, version: undefined };
}
