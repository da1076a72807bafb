/** A TypeScript example of a document. */
export interface DocumentedExample {
  /** Line of the document on which the code begins, counted from 1. */
  readonly line: number;
  readonly code: string;
  /** Text of the `text` block that follows the code: the standard output of the example. Undefined without one. */
  readonly output: string | undefined;
}

/** Returns the `ts` blocks of a document, each with the output that the document shows for it. */
export function examplesOf(markdown: string): DocumentedExample[] {
  const blocks = /^```ts\n(?<code>.*?)^```$(?:\n\n```text\n(?<output>.*?)^```$)?/gms;
  return [...markdown.matchAll(blocks)].map(({ index, groups }) => ({
    line: markdown.slice(0, index).split("\n").length + 1,
    code: groups?.["code"] ?? "",
    output: groups?.["output"],
  }));
}
