/** A mistake in an expression, and the place in its source. */
export interface CompileProblem {
  /** The message without its place: `undeclared reference to 'x' (in container '')`. */
  readonly message: string;
  /** Offset in the source, in UTF-16 units. */
  readonly offset: number;
}

/** The mistakes of an expression that does not compile. Its message has v1.29's text: places, lines and carets. */
export class CompileError extends Error {
  override readonly name = "CompileError";
  readonly problems: readonly CompileProblem[];

  constructor(source: string, problems: readonly CompileProblem[]) {
    super(`to be written: ${source} ${problems.length}`);
    this.problems = problems;
  }
}
