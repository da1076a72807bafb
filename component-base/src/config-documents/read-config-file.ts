import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { ConfigurationError } from "../errors.js";
import { problemAt } from "../problems/problem.js";
import { yamlProblem } from "../problems/yaml-problem.js";
import type { ConfigDocument } from "./config-document.js";

/** Maximum length of a configuration file, in bytes. */
const maxFileBytes = 3 * 1024 * 1024;

/** Reads a file with one YAML or JSON document. Throws ConfigurationError when it cannot be read or holds no object. */
export async function readConfigFile(path: string): Promise<ConfigDocument> {
  const file = resolve(path);
  const content = parseDocument(path, await readText(path, file), (await import("yaml")).parse);
  if (!isJsonObject(content)) {
    throw new ConfigurationError(path, [problemAt("document", "is not an object")]);
  }
  return { subject: path, folder: dirname(file), content };
}

async function readText(path: string, file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
    throw new ConfigurationError(path, [problemAt("file", `cannot be read (${code})`)]);
  }
  if (bytes.length > maxFileBytes) {
    throw new ConfigurationError(path, [problemAt("file", `is longer than ${maxFileBytes} bytes`)]);
  }
  return bytes.toString();
}

function parseDocument(path: string, text: string, parse: (text: string, options: object) => unknown): JsonValue {
  try {
    return parse(text, { maxAliasCount: 100 }) as JsonValue;
  } catch (error) {
    throw new ConfigurationError(path, [problemAt("document", yamlProblem(error))]);
  }
}
