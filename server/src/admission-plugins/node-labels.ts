import { trimSpace } from "@gatehouse/envelopes/go";
import { fieldError } from "@gatehouse/envelopes/status";
import { validateLabelValue, validateQualifiedName } from "@gatehouse/envelopes/validation";

/** Labels that nodes must have. */
export type NodeLabels = Readonly<Record<string, string>>;

/** Reads `a=b,c=d`. Faults in the text are reported by `nodeLabelsProblem`. */
export function parseNodeLabels(text: string): NodeLabels {
  return Object.fromEntries(pairsOf(text).map(([key = "", value = ""]) => [trimSpace(key), trimSpace(value)]));
}

/** Returns the fault in a text of labels, in the words of v1.29; undefined for none. */
export function nodeLabelsProblem(text: string): string | undefined {
  for (const pair of pairsOf(text)) {
    if (pair.length !== 2) {
      return `invalid selector: [${pair.join(" ")}]`;
    }
    const [key = "", value = ""] = pair.map(trimSpace);
    const [keyProblems, valueProblems] = [validateQualifiedName(key), validateLabelValue(value)];
    if (keyProblems.length > 0) {
      return `<nil>: ${fieldError.invalid("", key, keyProblems.join("; ")).message}`;
    }
    if (valueProblems.length > 0) {
      return `[${key}]: ${fieldError.invalid("", value, valueProblems.join("; ")).message}`;
    }
  }
  return undefined;
}

function pairsOf(text: string): string[][] {
  return text === "" ? [] : text.split(",").map((pair) => pair.split("="));
}
