/** One thing that is wrong with a configuration. */
export interface Problem {
  /** Place of the problem: a flag (`--secure-port`) or a path in a document (`users[0].user.client-key`). */
  readonly path: string;
  /** A whole sentence that names the path, so that it can be shown alone. */
  readonly message: string;
}

/** Builds the usual form of a problem: the path, a colon, what is wrong there. */
export function problemAt(path: string, text: string): Problem {
  return { path, message: `${path}: ${text}` };
}

/** The problems as text for a person: one per line, on a single line when there is only one. */
export function formatProblems(problems: readonly Problem[]): string {
  const first = problems[0];
  if (first !== undefined && problems.length === 1) {
    return first.message;
  }
  return `${problems.length} problems:${problems.map((problem) => `\n  - ${problem.message}`).join("")}`;
}
