import type { Declarations } from "./checker/declarations.js";
import { type CompiledExpression, compileExpression } from "./compile-expression.js";
import type { ObserveExpression } from "./evaluation/evaluation-observer.js";
import { ProgramError } from "./evaluation/program-error.js";
import { CompileError } from "./syntax/compile-error.js";

/** An expression that is ready, or the problem that it has, in the text that v1.29 gives to users. */
export type Compilation =
  | { readonly expression: CompiledExpression; readonly problem?: undefined }
  | { readonly expression?: undefined; readonly problem: string };

/** Names of the two steps that may fail, for the text of a problem. */
export interface CompilationSteps {
  /** Parsing and type checking: the text is `<check> failed: ...`. */
  readonly check: string;
  /** Evaluation of the parts that are known beforehand: the text is `<program> instantiation failed: ...`. */
  readonly program: string;
}

const plainSteps: CompilationSteps = { check: "compilation", program: "program" };

/**
 * Compiles an expression, as `compileExpression` does, and returns its mistakes in place of throwing them. `observe`
 * returns the observer of its evaluations.
 */
export function tryCompileExpression(
  source: string,
  declarations: Declarations,
  {
    steps = plainSteps,
    observe,
  }: { readonly steps?: CompilationSteps; readonly observe?: ObserveExpression | undefined } = {},
): Compilation {
  try {
    return { expression: compileExpression(source, declarations, observe) };
  } catch (error) {
    if (error instanceof CompileError) {
      return { problem: `${steps.check} failed: ${error.message}` };
    }
    if (error instanceof ProgramError) {
      return { problem: `${steps.program} instantiation failed: ${error.message}` };
    }
    throw error;
  }
}
