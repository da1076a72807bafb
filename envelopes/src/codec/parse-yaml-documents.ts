import { DecodeError, YamlDocumentError } from "../errors.js";
import type { JsonValue } from "../json/json.js";
import { parseYaml } from "./parse-yaml.js";

/** A document of a YAML text. */
export interface YamlDocument {
  /** The line at which its content begins, from 1. */
  readonly line: number;
  /** The text of the document from that line on. */
  readonly text: string;
  readonly value: JsonValue;
}

/**
 * Parses all documents of a text as kubectl does: whatever line begins with `---` divides them, and each is read as API
 * servers read it. Documents without content are left out. Rejects with YamlDocumentError.
 */
export async function parseYamlDocuments(text: string): Promise<readonly YamlDocument[]> {
  const documents: YamlDocument[] = [];
  let firstLine = 1;
  for (const part of text.split(/\n(?=---)/)) {
    // The divider belongs to no document, and whatever else stands on its line neither; kubectl keeps the one on top.
    const content = firstLine === 1 ? part : part.replace(/^---.*/, "");
    const before = linesBefore(content);
    const line = firstLine + before;
    const value = await parseOne(content, firstLine, line);
    if (value !== null) {
      documents.push({ line, text: content.split("\n").slice(before).join("\n"), value });
    }
    firstLine += part.split("\n").length;
  }
  return documents;
}

/** Returns the number of lines without content: comments, directives, a divider. */
function linesBefore(content: string): number {
  const lines = content.split("\n");
  return Math.max(
    lines.findIndex((line) => !/^\s*(?:#.*|%.*|---\s*)?$/.test(line)),
    0,
  );
}

async function parseOne(content: string, firstLine: number, line: number): Promise<JsonValue> {
  try {
    return (await parseYaml(content)).value;
  } catch (error) {
    if (!(error instanceof DecodeError)) {
      throw error;
    }
    const [, found, what = error.message] = /^yaml: (?:line (\d+): )?(.*)$/s.exec(error.message) ?? [];
    throw new YamlDocumentError(what, found === undefined ? line : firstLine + Number(found) - 1, { cause: error });
  }
}
