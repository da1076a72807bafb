import { type PreparedHistory, prepareHistory } from "./prepared-history.js";
import type { RegisterOperation } from "./register-operation.js";
import {
  answersNow,
  initialState,
  type RegisterState,
  type UsedUnknown,
  usesNoMore,
  writesNow,
} from "./register-state.js";

/** The verdict on the history of one register. */
export type Verdict =
  | { readonly linearizable: true }
  | {
      readonly linearizable: false;
      /** A flag that is false when the search was given up, so that nothing is known. */
      readonly decided: boolean;
      /** The operations of the longest order that was found, up to the last few, and those that fit nowhere after them. */
      readonly explanation: string;
    };

/** A point of the search: the operations that have taken effect, and the register after them. */
interface Configuration {
  /** All answered operations before this index have taken effect. */
  readonly done: number;
  /** Indices after it that have taken effect, too, in ascending order. */
  readonly ahead: readonly number[];
  readonly state: RegisterState;
}

const defaultMaxConfigurations = 2_000_000;

/**
 * Decides whether the operations on one register can be put into an order in which each takes effect between its call and
 * its return, and each answer is right. Linearizability is local: a history of many registers is linearizable exactly if
 * that of each one is.
 *
 * The search is that of Wing and Gong with Lowe's memory of configurations. Two facts keep it linear in practice. An
 * answer that changes nothing takes effect as soon as it can. Writes whose resourceVersion is known take effect in the
 * order of their versions. Operations without an outcome of which nobody has seen the value are interchangeable, so only
 * their number counts.
 */
export function checkRegister(
  operations: readonly RegisterOperation[],
  maxConfigurations: number = defaultMaxConfigurations,
): Verdict {
  const prepared = prepareHistory(operations);
  if ("problem" in prepared) {
    return { linearizable: false, decided: true, explanation: prepared.problem };
  }
  const seen = new SeenConfigurations();
  const open: Configuration[] = [{ done: 0, ahead: [], state: initialState }];
  let furthest = open[0] as Configuration;
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    const reached = takeAnswers(prepared, last);
    if (reached.done === prepared.answered.length) {
      return { linearizable: true };
    }
    if (!seen.add(reached)) {
      continue;
    }
    if (seen.size > maxConfigurations) {
      return { linearizable: false, decided: false, explanation: `gave up after ${maxConfigurations} configurations` };
    }
    if (progressOf(reached) > progressOf(furthest)) {
      furthest = reached;
    }
    open.push(...nextConfigurations(prepared, reached));
  }
  return { linearizable: false, decided: true, explanation: explain(prepared, furthest) };
}

/** Lets every answer that changes nothing take effect, as long as one can. That never spoils an order. */
function takeAnswers(history: PreparedHistory, from: Configuration): Configuration {
  let at = from;
  for (;;) {
    const fitting = eligible(history, at).filter((index) => {
      return answersNow(history.answered[index] as RegisterOperation, at.state);
    });
    if (fitting.length === 0) {
      return at;
    }
    at = withDone(at, fitting, at.state);
  }
}

/** Answered operations that have not taken effect and were called before any such operation returned. */
function eligible({ answered }: PreparedHistory, { done, ahead }: Configuration): number[] {
  const indices: number[] = [];
  let firstReturn = Number.POSITIVE_INFINITY;
  let nextAhead = 0;
  for (let index = done; index < answered.length; index++) {
    if (ahead[nextAhead] === index) {
      nextAhead++;
      continue;
    }
    const { calledAt, returnedAt } = answered[index] as RegisterOperation;
    if (calledAt > firstReturn) {
      break;
    }
    firstReturn = Math.min(firstReturn, returnedAt);
    indices.push(index);
  }
  return indices;
}

/** The configurations one write later; the most likely one is last, for it is tried first. */
function nextConfigurations(history: PreparedHistory, at: Configuration): Configuration[] {
  const indices = eligible(history, at);
  const returns = indices.map((index) => (history.answered[index] as RegisterOperation).returnedAt);
  const now = returns.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const unanswered = history.unansweredWrites(at.state, now).map((state) => ({ ...at, state }));
  const answered = indices.flatMap((index) => {
    const state = writesNow(history.versions, history.answered[index] as RegisterOperation, at.state);
    return state === undefined ? [] : [withDone(at, [index], state)];
  });
  return [...unanswered, ...answered];
}

function withDone({ done, ahead }: Configuration, indices: readonly number[], state: RegisterState): Configuration {
  const all = [...ahead, ...indices].sort((a, b) => a - b);
  let first = done;
  let taken = 0;
  while (all[taken] === first) {
    first++;
    taken++;
  }
  return { done: first, ahead: all.slice(taken), state };
}

/** The configurations from which there was no way, or will have been when the search is back. */
class SeenConfigurations {
  readonly #used = new Map<string, UsedUnknown[]>();
  size = 0;

  /** Remembers a configuration; returns false if one that can do as much has been seen. */
  add({ done, ahead, state }: Configuration): boolean {
    const { present, value, version, nextVersion, used } = state;
    const key = `${done} ${ahead.join()} ${present} ${value} ${version} ${nextVersion}`;
    const others = this.#used.get(key);
    if (others?.some((other) => usesNoMore(other, used))) {
      return false;
    }
    this.size++;
    if (others === undefined) {
      this.#used.set(key, [used]);
    } else {
      others.push(used);
    }
    return true;
  }
}

function progressOf({ done, ahead }: Configuration): number {
  return done + ahead.length;
}

const shownBefore = 8;

function explain(history: PreparedHistory, at: Configuration): string {
  const before = history.answered.slice(Math.max(0, at.done - shownBefore), at.done);
  const stuck = eligible(history, at).map((index) => history.answered[index]);
  return [
    `the register is ${JSON.stringify(at.state)} after`,
    ...before.map((operation) => `  ${JSON.stringify(operation)}`),
    "and none of these can come next:",
    ...stuck.map((operation) => `  ${JSON.stringify(operation)}`),
  ].join("\n");
}
