import type { RegisterOperation } from "./register-operation.js";

interface Register {
  readonly present: boolean;
  readonly value?: string | undefined;
  /** The version; undefined when no answer has told it. */
  readonly version?: number | undefined;
  /** The newest version that is known of any write so far. */
  readonly newest: number;
}

/** Decides by trying every order, for histories of a few operations: what the checker is tested against. */
export function isLinearizable(operations: readonly RegisterOperation[]): boolean {
  const versions = new Map(
    operations.flatMap(({ outcome, value, version }) =>
      outcome === "ok" && value !== undefined && version !== undefined ? [[value, version] as const] : [],
    ),
  );
  const search = (rest: readonly RegisterOperation[], register: Register): boolean => {
    if (rest.every(({ outcome }) => outcome === "unknown")) {
      return true;
    }
    return rest.some((operation) => {
      const mayBeFirst = rest.every((other) => other.outcome === "unknown" || operation.calledAt <= other.returnedAt);
      const after = mayBeFirst ? apply(operation, register, versions) : undefined;
      return (
        after !== undefined &&
        search(
          rest.filter((other) => other !== operation),
          after,
        )
      );
    });
  };
  return search(operations, { present: false, newest: 0 });
}

function apply(
  operation: RegisterOperation,
  register: Register,
  versions: ReadonlyMap<string, number>,
): Register | undefined {
  const { kind, outcome, value, expected, version } = operation;
  const answer = answerOf(operation, register);
  if (kind === "get") {
    const isRight = answer !== "ok" || (register.value === value && register.version === version);
    return outcome === "unknown" || (outcome === answer && isRight) ? register : undefined;
  }
  if (outcome !== "unknown" && outcome !== answer) {
    return undefined;
  }
  if (answer !== "ok") {
    return register;
  }
  if (kind === "delete") {
    return { present: false, newest: register.newest };
  }
  const got = version ?? versions.get(value ?? "");
  if (got !== undefined && (got <= register.newest || (expected !== undefined && got <= expected))) {
    return undefined;
  }
  return { present: true, value, version: got, newest: got ?? register.newest };
}

function answerOf({ kind, expected }: RegisterOperation, { present, version }: Register): string {
  if (kind === "create") {
    return present ? "conflict" : "ok";
  }
  if (!present) {
    return "missing";
  }
  return kind === "get" || expected === undefined || expected === version ? "ok" : "conflict";
}
