import { WireWriter } from "@gatehouse/envelopes/codec";
import { goNumber } from "./exposition.js";
import type { FieldValue, Message, MessageField } from "./family-messages.js";

/** Returns a message in the wire format, with its length before it. */
export function delimitedMessage(message: Message): Buffer {
  const writer = new WireWriter();
  writeMessage(writer, message);
  return writer.finish();
}

const wireType = { varint: 0, fixed64: 1, bytes: 2 } as const;

/** Writes a message and its length. The writer goes from the end to the beginning. */
function writeMessage(writer: WireWriter, message: Message): void {
  const before = writer.length;
  for (let at = message.length - 1; at >= 0; at--) {
    const { number, value } = message[at] as MessageField;
    writer.varint((number << 3) | writeValue(writer, value));
  }
  writer.varint(writer.length - before);
}

function writeValue(writer: WireWriter, value: FieldValue): number {
  if ("message" in value) {
    writeMessage(writer, value.message);
    return wireType.bytes;
  }
  if ("string" in value) {
    writer.string(value.string);
    return wireType.bytes;
  }
  if ("double" in value) {
    writer.double(value.double);
    return wireType.fixed64;
  }
  writer.varint("uint64" in value ? value.uint64 : value.enum);
  return wireType.varint;
}

/** Returns a message in the text format of protobuf, with a line for each field. */
export function messageText(message: Message, indent = ""): string {
  return message
    .map(({ name, value }) =>
      "message" in value
        ? `${indent}${name}: {\n${messageText(value.message, `${indent}  `)}${indent}}\n`
        : `${indent}${name}: ${valueText(value)}\n`,
    )
    .join("");
}

/** Returns a message in the text format of protobuf, in one line. */
export function compactMessageText(message: Message): string {
  return message
    .map(({ name, value }) =>
      "message" in value ? `${name}:{${compactMessageText(value.message)}}` : `${name}:${valueText(value)}`,
    )
    .join(" ");
}

function valueText(value: Exclude<FieldValue, { readonly message: Message }>): string {
  if ("string" in value) {
    return quoted(value.string);
  }
  if ("double" in value) {
    const { double } = value;
    return Number.isFinite(double) ? goNumber(double) : Number.isNaN(double) ? "nan" : double > 0 ? "inf" : "-inf";
  }
  return "uint64" in value ? String(value.uint64) : value.text;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  const escaped = text.replace(/["\\\x00-\x1f\x7f]/g, (character) => {
    return escapes.get(character) ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return `"${escaped}"`;
}
