import type { Declarations } from "./checker/declarations.js";
import { type CompiledExpression, compileExpression } from "./compile-expression.js";
import type { ObserveExpression } from "./evaluation/evaluation-observer.js";
import { ProgramError } from "./evaluation/program-error.js";
import { CompileError } from "./syntax/compile-error.js";
import type { CelType } from "./types/cel-type.js";

/** An expression that is ready, or the problem that it has, in the text that v1.29 gives to users. */
export type Compilation =
  | { readonly expression: CompiledExpression; readonly problem?: undefined }
  | ProblematicExpression;

/** The result for an expression that cannot be evaluated. */
export interface ProblematicExpression {
  readonly expression?: undefined;
  readonly problem: string;
  /** True if only its instantiation failed: v1.29 reports that as an internal error of policies, not as an invalid value. */
  readonly isInternal?: true;
}

/** Returns the problem of an expression whose value has a type; undefined when the type is as it must be. */
export type ProblemOfType = (type: CelType) => string | undefined;

/** Names of the two steps that may fail, for the text of a problem. */
export interface CompilationSteps {
  /** Parsing and type checking: the text is `<check> failed: ...`. */
  readonly check: string;
  /** Evaluation of the parts that are known beforehand: the text is `<program> instantiation failed: ...`. */
  readonly program: string;
}

const plainSteps: CompilationSteps = { check: "compilation", program: "program" };

/** Options of `tryCompileExpression`. */
export interface CompilationOptions {
  readonly steps?: CompilationSteps;
  /**
   * The check of the type, which precedes the errors of the expression as a program, as in v1.29. Any type is accepted when
   * absent.
   */
  readonly problemOfType?: ProblemOfType;
  /** Returns the observer of the evaluations of the expression. */
  readonly observe?: ObserveExpression | undefined;
}

/** Compiles an expression, as `compileExpression` does, and returns its mistakes in place of throwing them. */
export function tryCompileExpression(
  source: string,
  declarations: Declarations,
  { steps = plainSteps, problemOfType = () => undefined, observe }: CompilationOptions = {},
): Compilation {
  try {
    const expression = compileExpression(source, declarations, observe);
    const problem = problemOfType(expression.type);
    return problem === undefined ? { expression } : { problem };
  } catch (error) {
    if (error instanceof CompileError) {
      return { problem: `${steps.check} failed: ${error.message}` };
    }
    if (error instanceof ProgramError) {
      const problem = problemOfType(error.type);
      return problem === undefined
        ? { problem: `${steps.program} instantiation failed: ${error.message}`, isInternal: true }
        : { problem };
    }
    throw error;
  }
}
