import { SelectorError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { type LabelSelector, type LabelSelectorObject, labelSelectorOf } from "@gatehouse/envelopes/selectors";

/** A selector, or the fault that makes it unusable. */
export type Selector = LabelSelector | { readonly problem: string };

/** Reads a selector. Defaults set an empty one where there was none; validation refuses faulty ones. */
export function selectorAt(holder: JsonValue, member: string): Selector {
  const selector = isJsonObject(holder) ? holder[member] : undefined;
  try {
    return labelSelectorOf((selector ?? {}) as LabelSelectorObject);
  } catch (error) {
    if (error instanceof SelectorError) {
      return { problem: error.message };
    }
    throw error;
  }
}
