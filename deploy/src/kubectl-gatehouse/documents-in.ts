import { CommandError } from "@gatehouse/component-base/errors";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import { YamlDocumentError } from "@gatehouse/envelopes/errors";
import type { JsonValue } from "@gatehouse/envelopes/json";

/** Reads the documents in the text of a file, as kubectl reads them. Rejects with CommandError where one cannot be read. */
export async function documentsIn(file: string, content: string): Promise<readonly JsonValue[]> {
  try {
    return (await parseYamlDocuments(content)).map(({ value }) => value);
  } catch (error) {
    throw error instanceof YamlDocumentError
      ? new CommandError(`${file} is not valid YAML: ${error.message} at line ${error.line}`)
      : error;
  }
}
