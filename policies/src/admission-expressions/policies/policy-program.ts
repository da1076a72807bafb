import { isSet, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import type { Declarations, ObserveExpression } from "../../cel/index.js";
import { admissionDeclarations } from "../admission-declarations.js";
import { compileTypedExpression, type ReturnType } from "../compile-typed-expression.js";
import { type ComposedVariable, VariableComposer } from "../composed-variables.js";
import type { ListedExpression } from "../evaluate-expressions.js";

/** A validation of a policy. */
export interface PolicyValidation {
  readonly expression: ListedExpression;
  /** The expression for the message; undefined if there is none. */
  readonly messageExpression: ListedExpression | undefined;
  /** The message if that has none; empty if there is none either. */
  readonly message: string;
  /** The reason in the Status; undefined if there is none. */
  readonly reason: string | undefined;
}

/** An annotation that a policy adds to the audit event. */
export interface PolicyAnnotation {
  readonly key: string;
  readonly value: ListedExpression;
}

/**
 * Returns the observer of an expression of a policy. `path`: its place in the specification, such as
 * `validations[0].messageExpression`.
 */
export type ObservePolicy = (path: string) => ObserveExpression;

/** The expressions of a policy, compiled. */
export class PolicyProgram {
  readonly variables: ReadonlyMap<string, ComposedVariable>;
  readonly validations: readonly PolicyValidation[];
  /** The validations whose messages are computed. */
  readonly computed: readonly PolicyValidation[];
  readonly annotations: readonly PolicyAnnotation[];

  constructor(spec: JsonObject, observe?: ObservePolicy) {
    const hasParams = isSet(spec, "paramKind");
    const declared = admissionDeclarations({ hasParams, hasAuthorizer: true }, "stored");
    const composer = new VariableComposer();
    this.variables = new Map(
      listAt(spec, "variables").map((variable, index) => {
        const name = textAt(variable, "name");
        return [
          name,
          composer.add(name, textAt(variable, "expression"), declared, observe?.(`variables[${index}].expression`)),
        ];
      }),
    );
    const all = composer.declare(declared);
    const withoutAuthorizer = composer.declare(admissionDeclarations({ hasParams, hasAuthorizer: false }, "stored"));
    this.validations = listAt(spec, "validations").map((validation, index) => ({
      expression: compiled(validation, "expression", all, ["bool"], observe?.(`validations[${index}].expression`)),
      messageExpression:
        textAt(validation, "messageExpression") === ""
          ? undefined
          : compiled(
              validation,
              "messageExpression",
              withoutAuthorizer,
              ["string"],
              observe?.(`validations[${index}].messageExpression`),
            ),
      message: textAt(validation, "message"),
      reason: textAt(validation, "reason") || undefined,
    }));
    this.computed = this.validations.filter(({ messageExpression }) => messageExpression !== undefined);
    this.annotations = listAt(spec, "auditAnnotations").map((annotation, index) => ({
      key: textAt(annotation, "key"),
      value: compiled(
        annotation,
        "valueExpression",
        all,
        ["string", "null_type"],
        observe?.(`auditAnnotations[${index}].valueExpression`),
      ),
    }));
  }
}

function compiled(
  holder: JsonValue,
  member: string,
  declarations: Declarations,
  returns: readonly ReturnType[],
  observe: ObserveExpression | undefined,
): ListedExpression {
  const source = textAt(holder, member);
  return { source, ...compileTypedExpression(source, declarations, returns, observe) };
}
