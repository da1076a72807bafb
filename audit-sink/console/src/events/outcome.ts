import { svgElement } from "../page/dom.js";
import type { AuditEvent } from "../sink/types.js";
import { textOf } from "./target.js";

/** Kinds of outcomes: by the first digit of the code, `none` where there is no answer yet. */
export type Outcome = "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | "none";

const outcomes: readonly Outcome[] = ["5xx", "4xx", "2xx", "3xx", "1xx", "none"];

/** Returns the outcome of a code. */
export function outcomeOfCode(code: string): Outcome {
  return outcomes.find((each) => each[0] === code[0] && code !== "") ?? "none";
}

/** Returns how a request ended. */
export function outcomeOf({ responseStatus }: AuditEvent): Outcome {
  return outcomeOfCode(textOf(responseStatus?.code));
}

/** Returns names of outcomes in the order in which they are told: the failures first. */
export function byGravity(names: readonly string[]): readonly string[] {
  const place = (name: string): number => (outcomes as readonly string[]).indexOf(name);
  return [...names].sort((a, b) => place(a) - place(b));
}

/** Returns an outcome in words. */
export function outcomeText(outcome: string): string {
  const words: Readonly<Record<string, string>> = {
    none: "no answer yet",
    "2xx": "succeeded",
    "4xx": "refused",
    "5xx": "failed",
  };
  return words[outcome] ?? outcome;
}

/** Makes the sign of an outcome. Each has a form of its own, for those who do not tell the colours apart. */
export function outcomeSign(outcome: string): SVGElement {
  const svg = svgElement("svg", {
    class: `sign fill-${outcome}`,
    viewBox: "0 0 12 12",
    width: 12,
    height: 12,
    "aria-hidden": "true",
  });
  if (outcome === "4xx") {
    svg.append(svgElement("path", { d: "M6 1 11.5 11H.5z" }));
  } else if (outcome === "5xx") {
    svg.append(svgElement("path", { d: "M6 .2 11.8 6 6 11.8.2 6z" }));
  } else if (outcome === "2xx") {
    svg.append(svgElement("circle", { cx: 6, cy: 6, r: 4 }));
  } else {
    svg.append(svgElement("circle", { class: "hollow", cx: 6, cy: 6, r: 3.5 }));
  }
  return svg;
}
