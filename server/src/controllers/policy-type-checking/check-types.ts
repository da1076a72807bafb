import type { ResourceRegistry, ServedResource } from "@gatehouse/apiserver/registry";
import { isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { admissionDeclarations } from "@gatehouse/policies/admission-expressions";
import {
  authorizerType,
  type CelType,
  CompileError,
  compileExpression,
  type Declarations,
} from "@gatehouse/policies/cel";
import { kindText, matchedKinds } from "./matched-kinds.js";
import { typeOfKind } from "./schema-type.js";

/** A kind that a policy is about, and the names that its expressions may use for an object of this kind. */
interface CheckedKind {
  readonly text: string;
  readonly declarations: Declarations;
}

/**
 * Checks validations and message expressions of a policy against the schemas of the kinds that its rules name, in steps.
 * Returns the `expressionWarnings` of its status. As in v1.29, it knows neither `variables` nor
 * `authorizer.requestResource`, and `params` only if their kind is served.
 */
export function* checkTypes(policy: JsonObject, registry: ResourceRegistry): Steps<readonly JsonObject[]> {
  const kinds = checkedKinds(policy, registry);
  const warnings: JsonObject[] = [];
  for (const [index, validation] of listAt(policy, "spec", "validations").entries()) {
    for (const member of ["expression", "messageExpression"]) {
      const source = textAt(validation, member);
      const warning = source === "" ? "" : warningAbout(source, kinds);
      if (warning !== "") {
        warnings.push({ fieldRef: `spec.validations[${index}].${member}`, warning });
      }
      yield;
    }
  }
  return warnings;
}

function checkedKinds(policy: JsonObject, registry: ResourceRegistry): readonly CheckedKind[] {
  const params = isSet(policy, "spec", "paramKind")
    ? registry.findKind(textAt(policy, "spec", "paramKind", "apiVersion"), textAt(policy, "spec", "paramKind", "kind"))
    : undefined;
  const variables = new Map<string, CelType>([["authorizer", authorizerType]]);
  if (params !== undefined) {
    variables.set("params", objectTypeOf(params, 2));
  }
  const basic = admissionDeclarations({ hasParams: false, hasAuthorizer: false }, "stored");
  return matchedKinds(policy, registry).map((served) => {
    const type = objectTypeOf(served, 1);
    const declarations = basic.withVariables(new Map([...variables, ["object", type], ["oldObject", type]]));
    return { text: kindText(served), declarations };
  });
}

/** Returns the type of the objects of a kind. Numbers behind the names of types tell those apart that are not the same. */
function objectTypeOf({ kind, form }: ServedResource, number: number): CelType {
  const { schema } = form.schemas.kind;
  return typeOfKind(schema, `${kind}${number}`);
}

/** Returns the warning about an expression: the mistakes that it has for each kind; empty if it has none. */
function warningAbout(source: string, kinds: readonly CheckedKind[]): string {
  return kinds
    .flatMap(({ text, declarations }) => {
      const problem = problemOf(source, declarations);
      return problem === undefined ? [] : [`${text}: ${problem}\n`];
    })
    .join("\n");
}

function problemOf(source: string, declarations: Declarations): string | undefined {
  try {
    compileExpression(source, declarations);
    return undefined;
  } catch (error) {
    return error instanceof CompileError ? error.message : undefined;
  }
}
