/** A command in a document, and what it prints there. */
export interface DocumentedStep {
  readonly command: string;
  readonly output: string;
}

/** Returns the commands and outputs in the console blocks of a document: `$ ` begins a command, `> ` continues it. */
export function stepsOf(markdown: string): DocumentedStep[] {
  const steps: { command: string; output: string }[] = [];
  for (const [, block = ""] of markdown.matchAll(/^```console\n(.*?)^```$/gms)) {
    for (const line of block.trimEnd().split("\n")) {
      const step = steps.at(-1);
      if (line.startsWith("$ ")) {
        steps.push({ command: line.slice(2), output: "" });
      } else if (step !== undefined && line.startsWith("> ")) {
        step.command += `\n${line.slice(2)}`;
      } else if (step !== undefined) {
        step.output += `${line}\n`;
      }
    }
  }
  return steps;
}

/**
 * Ages and times differ from run to run, and with them the width of columns; empty lines from kubectl to kubectl; and npm
 * has news of its own.
 */
export const comparable = (text: string): string =>
  text
    .replace(/^npm (?:notice|warn).*$/gm, "")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\b\d+m?s\b/g, "AGE")
    .replace(/ +/g, " ")
    .replace(/ $/gm, "")
    .replace(/\n+/g, "\n")
    .trim();
