import {
  authorizerType,
  type CelType,
  type Declarations,
  dynType,
  newExpressions,
  resourceCheckType,
  storedExpressions,
} from "../cel/index.js";
import { namespaceType } from "./namespace-object.js";
import { requestType } from "./request-type.js";

/** The variables of an admission expression that not every expression has. */
export interface OptionalVariables {
  /** True if `params` is declared. */
  readonly hasParams: boolean;
  /** True if `authorizer` and `authorizer.requestResource` are declared. */
  readonly hasAuthorizer: boolean;
}

/**
 * The functions that an expression may use: those of `new` ones are a release behind, `stored` ones may use all that this
 * server knows.
 */
export type ExpressionAge = "new" | "stored";

const newFunctions = newExpressions.withoutRuleCosts();
const storedFunctions = storedExpressions.withoutRuleCosts();

const declared = new Map<string, Declarations>();

/** Returns the declarations of admission expressions: libraries and variables. */
export function admissionDeclarations(
  { hasParams, hasAuthorizer }: OptionalVariables,
  age: ExpressionAge,
): Declarations {
  const key = `${age}/${hasParams}/${hasAuthorizer}`;
  let declarations = declared.get(key);
  if (declarations === undefined) {
    const libraries = age === "new" ? newFunctions : storedFunctions;
    declarations = libraries.withVariables(
      new Map<string, CelType>([
        ["object", dynType],
        ["oldObject", dynType],
        ["namespaceObject", namespaceType],
        ["request", requestType],
        ...(hasParams ? paramsVariable : []),
        ...(hasAuthorizer ? authorizerVariables : []),
      ]),
    );
    declared.set(key, declarations);
  }
  return declarations;
}

const paramsVariable: readonly (readonly [string, CelType])[] = [["params", dynType]];
const authorizerVariables: readonly (readonly [string, CelType])[] = [
  ["authorizer", authorizerType],
  ["authorizer.requestResource", resourceCheckType],
];
