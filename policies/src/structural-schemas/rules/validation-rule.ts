import { trimSpace } from "@gatehouse/envelopes/go";
import { booleanAt, isJsonObject, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** A rule of `x-kubernetes-validations`. Texts that it does not state are empty. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  readonly fieldPath: string;
  /** True if `oldSelf` is an optional value, so that the rule is evaluated without an old value, too. */
  readonly optionalOldSelf: boolean;
}

/** Returns the rules of a node of a schema, in order. */
export function rulesOf(schema: JsonObject): readonly ValidationRule[] {
  return listAt(schema, "x-kubernetes-validations")
    .filter(isJsonObject)
    .map((rule) => ({
      rule: textAt(rule, "rule"),
      message: textAt(rule, "message"),
      messageExpression: textAt(rule, "messageExpression"),
      reason: textAt(rule, "reason"),
      fieldPath: textAt(rule, "fieldPath"),
      optionalOldSelf: booleanAt(rule, "optionalOldSelf"),
    }));
}

/** Returns the text by which errors name a rule: its message, or the rule itself. */
export function ruleText({ message, rule }: ValidationRule): string {
  return trimSpace(message === "" ? rule : message);
}
