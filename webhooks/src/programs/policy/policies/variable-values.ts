import { listAt, textAt } from "@gatehouse/envelopes/json";
import { outcomeText } from "./outcome-text.js";
import type { FoundPolicy } from "./policy-folder.js";

/** The values of a variable of a policy, as texts; several where bindings or parameters made it differ. */
export interface VariableValue {
  readonly policy: string;
  readonly name: string;
  /** None for a variable that was not evaluated. */
  readonly values: readonly string[];
}

/** Lists the variables of a policy with the values that were recorded. */
export function variableValues({ name: policy, object, traced }: FoundPolicy): readonly VariableValue[] {
  return listAt(object, "spec", "variables").map((variable, index) => {
    const traces = traced.expressions.find(({ path }) => path === `variables[${index}].expression`);
    const values = (traces?.recorded ?? []).map(({ evaluation }) => outcomeText(evaluation.error ?? evaluation.value));
    return { policy, name: textAt(variable, "name"), values: [...new Set(values)] };
  });
}
