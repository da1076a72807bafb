import type { CelType } from "../types/cel-type.js";

/** A variable that a loop declares, and those of the loops around it. Undefined: no loop. */
export type Scope = ScopedVariable | undefined;

interface ScopedVariable {
  readonly name: string;
  readonly type: CelType;
  readonly outer: Scope;
}

/** Returns the type of a variable in the innermost scope that has it; undefined if none has. */
export function findInScope(scope: Scope, name: string): CelType | undefined {
  for (let current = scope; current; current = current.outer) {
    if (current.name === name) {
      return current.type;
    }
  }
  return undefined;
}
