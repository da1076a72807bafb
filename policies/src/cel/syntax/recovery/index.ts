import type { CompileProblem } from "../compile-error.js";
import type { Tokens } from "../tokens.js";
import { parseWithRecovery } from "./recovering-parser.js";
import { addTreeProblems } from "./tree-problems.js";

/** Returns all that is wrong with an expression that the parser has rejected, in v1.29's texts. */
export function findProblems(source: string, tokens: Tokens): readonly CompileProblem[] {
  const { problems, tree } = parseWithRecovery(source, tokens);
  if (tree !== undefined) addTreeProblems(tree, problems);
  return problems;
}
