import { parseJson, parseYamlSteps } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { finishSteps } from "@gatehouse/envelopes/scheduling";

const openBrace = 0x7b;
const lineFeed = 0x0a;
const lineEnd = Buffer.from("\n");

/** Reports whether bytes begin as a JSON object. */
export function isJsonText(bytes: Buffer): boolean {
  return bytes[0] === openBrace;
}

/** Reports whether a line feed ends the bytes, as it ends all JSON that kube-apiserver stores. */
export function endsLine(bytes: Buffer): boolean {
  return bytes[bytes.length - 1] === lineFeed;
}

/** Returns JSON with the line feed that kube-apiserver writes. */
export function withLineEnd(json: Buffer): Buffer {
  return Buffer.concat([json, lineEnd]);
}

/** Parses a stored text: JSON, or else YAML. Throws DecodeError, with the text of v1.29, for broken JSON. */
export function parseStoredText(stored: Buffer): JsonValue {
  if (!isJsonText(stored)) {
    return finishSteps(parseYamlSteps(stored.toString())).value;
  }
  try {
    return parseJson(stored.toString()).value;
  } catch (error) {
    const { message } = error as Error;
    throw new DecodeError(`couldn't get version/kind; json parse error: ${message}`, { cause: error });
  }
}
