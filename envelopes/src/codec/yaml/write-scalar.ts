import { isBreak } from "./line-breaks.js";
import type { YamlOutput } from "./output.js";
import { escaped, styleOf } from "./style.js";

const bestWidth = 80;

/** Writes a text whose further lines, if it needs any, begin at the column `indent`. */
export function writeText(output: YamlOutput, text: string, indent: number): void {
  switch (styleOf(text, false)) {
    case "plain":
      output.begin("");
      writeFolded(output, text, indent);
      break;
    case "single":
      writeSingleQuoted(output, text, indent);
      break;
    case "double":
      writeDoubleQuoted(output, text, indent);
      break;
    case "literal":
      writeLiteral(output, text, indent);
  }
}

/** Writes a text before a colon, on one line. It has no line breaks. */
export function writeSimpleKey(output: YamlOutput, key: string): void {
  const style = styleOf(key, true);
  if (style === "plain") {
    output.write(key);
  } else {
    output.write(style === "single" ? `'${key.replaceAll("'", "''")}'` : `"${escaped(key).join("")}"`);
  }
}

/** Writes text without line breaks, broken at a space beyond the best width, unless another space follows. */
function writeFolded(output: YamlOutput, text: string, indent: number): void {
  let written = 0;
  for (let at = text.indexOf(" ", 1); at >= 0 && at < text.length - 1; at = text.indexOf(" ", at + 1)) {
    const isLone = text.charCodeAt(at - 1) !== 0x20 && text.charCodeAt(at + 1) !== 0x20;
    if (isLone && output.column + at - written > bestWidth) {
      output.write(text.slice(written, at));
      output.indent(indent);
      written = at + 1;
    }
  }
  output.write(text.slice(written));
}

function writeSingleQuoted(output: YamlOutput, text: string, indent: number): void {
  output.begin("'");
  writeLines(output, text.replaceAll("'", "''"), indent, writeFolded);
  output.write("'");
}

function writeDoubleQuoted(output: YamlOutput, text: string, indent: number): void {
  output.begin('"');
  const characters = escaped(text);
  for (const [i, character] of characters.entries()) {
    const isInside = i > 0 && i < characters.length - 1;
    if (character === " " && isInside && characters[i - 1] !== " " && output.column > bestWidth) {
      output.indent(indent);
      output.write(characters[i + 1] === " " ? "\\" : "");
    } else {
      output.write(character);
    }
  }
  output.write('"');
}

function writeLiteral(output: YamlOutput, text: string, indent: number): void {
  const indentation = /^[ \n\u2028\u2029]/.test(text) ? "2" : "";
  const breaks = /[\n\u2028\u2029]{0,2}$/.exec(text)?.[0].length;
  const chomping = breaks === 0 ? "-" : breaks === 2 || text.length === 1 ? "+" : "";
  output.begin(`|${indentation}${chomping}`);
  output.breakLine();
  writeLines(output, text, indent, (_, line) => output.write(line));
}

/** Writes text with its line breaks. What comes after one begins at the column `indent`. */
function writeLines(output: YamlOutput, text: string, indent: number, writeLine: typeof writeFolded): void {
  for (const part of text.split(/([\n\u2028\u2029])/)) {
    if (isBreak(part.charCodeAt(0))) {
      output.breakLine(part);
    } else if (part !== "") {
      if (output.column === 0) {
        output.indent(indent);
      }
      writeLine(output, part, indent);
    }
  }
}
