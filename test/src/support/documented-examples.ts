/** A TypeScript or JavaScript example of a document. */
export interface DocumentedExample {
  /** Line of the document on which the code begins, counted from 1. */
  readonly line: number;
  readonly language: "ts" | "js";
  /** Name of the file that the first line gives (`// src/hooks.ts`): other examples of the document import it. */
  readonly file: string | undefined;
  readonly code: string;
  /** Text of the `text` block that follows the code: the standard output of the example. Undefined without one. */
  readonly output: string | undefined;
}

/** Returns the `ts` and `js` blocks of a document, each with the output that the document shows for it. */
export function examplesOf(markdown: string): DocumentedExample[] {
  const blocks = /^```(?<language>[tj]s)\n(?<code>.*?)^```$(?:\n\n```text\n(?<output>.*?)^```$)?/gms;
  return [...markdown.matchAll(blocks)].map(({ index, groups }) => ({
    line: markdown.slice(0, index).split("\n").length + 1,
    language: groups?.["language"] === "js" ? "js" : "ts",
    file: /^\/\/ src\/(\S+)\n/.exec(groups?.["code"] ?? "")?.[1],
    code: groups?.["code"] ?? "",
    output: groups?.["output"],
  }));
}
