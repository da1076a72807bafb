import { trimSpace } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import {
  admissionDeclarations,
  compileTypedExpression,
  type ReturnType,
  type TypedExpression,
  VariableComposer,
} from "@gatehouse/policies/admission-expressions";
import type { Declarations, ProblematicExpression } from "@gatehouse/policies/cel";

/** Expressions of a policy that are stored already. Those may use functions of this release, new ones may not. */
export interface StoredExpressions {
  readonly matchConditions: ReadonlySet<string>;
  readonly validations: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
  readonly annotations: ReadonlySet<string>;
}

/** Returns the expressions of a policy that is stored; none of a new one. */
export function storedExpressionsOf(policy: JsonObject | undefined): StoredExpressions {
  const all = (list: string, member: string): ReadonlySet<string> =>
    new Set(listAt(policy, "spec", list).map((item) => textAt(item, member)));
  return {
    matchConditions: all("matchConditions", "expression"),
    validations: all("validations", "expression"),
    messages: all("validations", "messageExpression"),
    annotations: all("auditAnnotations", "valueExpression"),
  };
}

/** The compiler of the expressions of one policy, which share its variables. */
export class PolicyExpressions {
  readonly stored: StoredExpressions;
  readonly hasParams: boolean;
  readonly #composer: VariableComposer | undefined;

  /** `old`: the policy as it is stored; undefined for a new one. */
  constructor(policy: JsonObject, old: JsonObject | undefined) {
    this.stored = storedExpressionsOf(old);
    this.hasParams = isSet(policy, "spec", "paramKind");
    this.#composer = listAt(policy, "spec", "variables").length > 0 ? new VariableComposer() : undefined;
  }

  /** Adds a variable, which those after it and all other expressions may use. Returns its problem; undefined for none. */
  addVariable(name: string, source: string): ProblematicExpression | undefined {
    // As in v1.29, a variable is old if a validation of the stored policy has its expression.
    const declarations = this.#basicDeclarations(true, this.stored.validations.has(source));
    return problemOf(this.#composer?.add(name, source, declarations).expression);
  }

  /** Returns the problem of the expression of a validation; undefined for none. */
  problemOfValidation(source: string): ProblematicExpression | undefined {
    return this.#problemOf(source, this.#declarations(true, this.stored.validations.has(source)), ["bool"]);
  }

  /** Returns the problem of a message expression, which has no authorizer; undefined for none. */
  problemOfMessage(source: string): ProblematicExpression | undefined {
    return this.#problemOf(source, this.#declarations(false, this.stored.messages.has(source)), ["string"]);
  }

  /** Returns the problem of the expression of an audit annotation; undefined for none. White space around it is ignored. */
  problemOfAnnotation(source: string): ProblematicExpression | undefined {
    const declarations = this.#declarations(true, this.stored.annotations.has(source));
    return this.#problemOf(trimSpace(source), declarations, ["string", "null_type"]);
  }

  #problemOf(
    source: string,
    declarations: Declarations,
    returns: readonly ReturnType[],
  ): ProblematicExpression | undefined {
    return problemOf(compileTypedExpression(source, declarations, returns));
  }

  #declarations(hasAuthorizer: boolean, isStored: boolean): Declarations {
    const basic = this.#basicDeclarations(hasAuthorizer, isStored);
    return this.#composer?.declare(basic) ?? basic;
  }

  #basicDeclarations(hasAuthorizer: boolean, isStored: boolean): Declarations {
    return admissionDeclarations({ hasParams: this.hasParams, hasAuthorizer }, isStored ? "stored" : "new");
  }
}

function problemOf(result: TypedExpression | undefined): ProblematicExpression | undefined {
  return result?.problem === undefined ? undefined : result;
}
