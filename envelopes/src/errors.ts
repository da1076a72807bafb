/*
 * The errors that functions of this package throw. Each message is one that clients of v1.29 see, unless its class says
 * otherwise, and holds nothing secret beyond the input itself.
 */

export { StatusError } from "./status/status-error.js";

/**
 * The error for input that does not fit its schema: JSON, YAML, protobuf, a quantity, a time or a duration. Thrown by
 * `decodeJson`, `decodeProtobuf` and the parsers of scalars. A request handler answers 400 with the message.
 */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/**
 * The error for a document that cannot be read among several in one YAML text. `parseYamlDocuments` rejects with it. A
 * program shows the file, the line and the message, which does not repeat the line.
 */
export class YamlDocumentError extends DecodeError {
  /** The line of the mistake as far as it is known, else that of the document, from 1. */
  readonly line: number;

  constructor(message: string, line: number, options?: ErrorOptions) {
    super(message, options);
    this.line = line;
  }
}

/**
 * The error for a selector that cannot be used. Thrown by the parsers of label and field selectors. A request handler
 * answers 400 with the message as it is; kubectl itself adds which resource and selectors were asked for.
 */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
}

/**
 * The error for defaults that would add more than `maxDefaultedBytes` to an object, or more values than a body may hold.
 * Thrown by `applyStructuralDefaults`, which leaves some of the defaults in the object. A request handler refuses the
 * object as too large.
 */
export class TooManyDefaultsError extends Error {
  override readonly name = "TooManyDefaultsError";

  constructor() {
    super("the defaults of its schema make the object too large");
  }
}

/**
 * The error for a text that is no URL in Go's eyes, with Go's message. `parseGoUrl` returns it instead of throwing; a
 * validation shows the message as the problem of the field.
 */
export class GoUrlError extends Error {
  override readonly name = "GoUrlError";
}
