import { type JsonValue, parseYamlDocuments, YamlDocumentError } from "@gatehouse/envelopes";
import { PluginError } from "./plugin-command.js";

/** The documents in the text of a file, read as kubectl reads them. Rejects with PluginError where one cannot be read. */
export async function documentsIn(file: string, content: string): Promise<readonly JsonValue[]> {
  try {
    return (await parseYamlDocuments(content)).map(({ value }) => value);
  } catch (error) {
    throw error instanceof YamlDocumentError
      ? new PluginError(`${file} is not valid YAML: ${error.message} at line ${error.line}`)
      : error;
  }
}
