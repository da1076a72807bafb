import { type CelType, dynType } from "../types/cel-type.js";
import { isSameType } from "../types/same-type.js";
import { isDyn, type TypeInference } from "../types/type-inference.js";
import { replaceParts } from "../types/type-parts.js";
import type { DeclaredOverload } from "./declarations.js";

/** The overloads that a call may be of, and the type of its result. */
export interface Resolution {
  readonly overloads: readonly DeclaredOverload[];
  readonly type: CelType;
}

/**
 * Returns the overloads that arguments of these types fit; undefined if they fit none. Every overload that fits tells of
 * the type parameters in the types of the arguments, so that later ones see what earlier ones have told.
 */
export function resolveOverloads(
  candidates: readonly DeclaredOverload[],
  isMember: boolean,
  argumentTypes: readonly CelType[],
  inference: TypeInference,
): Resolution | undefined {
  const overloads: DeclaredOverload[] = [];
  let type: CelType | undefined;
  for (const candidate of candidates) {
    if (candidate.isMember !== isMember) {
      continue;
    }
    if (candidate.argumentTypes.length !== argumentTypes.length) {
      inference.skipParameters(candidate.parameters.length);
      continue;
    }
    const { parameterTypes, resultType } = instantiate(candidate, inference);
    if (inference.areAssignable(argumentTypes, parameterTypes)) {
      overloads.push(candidate);
      type = commonType(type, inference.resolve(resultType));
    }
  }
  return type && { overloads, type };
}

function commonType(before: CelType | undefined, type: CelType): CelType {
  return before === undefined || isDyn(before) || isSameType(before, type) ? (before ?? type) : dynType;
}

/** Returns the types of an overload with type parameters that no other call shares. */
function instantiate(overload: DeclaredOverload, inference: TypeInference) {
  const { argumentTypes, resultType, parameters } = overload;
  if (parameters.length === 0) {
    return { parameterTypes: argumentTypes, resultType };
  }
  const fresh = new Map(parameters.map((name) => [name, inference.newParameter()]));
  const rename = (type: CelType): CelType =>
    type.kind === "parameter" ? (fresh.get(type.name) ?? type) : replaceParts(type, rename);
  return { parameterTypes: argumentTypes.map(rename), resultType: rename(resultType) };
}
