import { TextMemo } from "@gatehouse/component-base/collections";
import { fieldNameOf, isFieldValue } from "@gatehouse/component-base/http1";
import type { HeaderFields } from "../request/header-fields.js";

/**
 * The lines of the fields of an answer over HTTP/1.1, without those that the server alone decides about: Connection,
 * Keep-Alive and Transfer-Encoding.
 */
export class HeadLines {
  /** Each line with its end. */
  text = "";
  hasLength = false;
  hasDate = false;

  /** Throws TypeError for characters that would be read as something else. */
  constructor(fields: HeaderFields) {
    for (let at = 0; at < fields.length; at += 2) {
      this.#add(fieldOf(fields[at] as string), fields[at + 1] as string);
    }
  }

  #add(field: Field, value: string): void {
    if (!field.isOfConnection) {
      this.text += field.lineOf(value);
      this.hasLength ||= field.isLength;
      this.hasDate ||= field.isDate;
    }
  }
}

/** Characters of a value that is remembered. */
const maxRememberedLength = 200;

/** The fields of one name, which mostly have the value of the answer before. */
class Field {
  readonly #name: string;
  readonly #isToken: boolean;
  readonly isLength: boolean;
  readonly isDate: boolean;
  readonly isOfConnection: boolean;
  #value: string | undefined;
  #line = "";

  constructor(name: string) {
    const { lower, isToken } = fieldNameOf(name);
    this.#name = name;
    this.#isToken = isToken;
    this.isLength = lower === "content-length";
    this.isDate = lower === "date";
    this.isOfConnection = lower === "connection" || lower === "transfer-encoding" || lower === "keep-alive";
  }

  lineOf(value: string): string {
    if (value === this.#value) {
      return this.#line;
    }
    if (!this.#isToken || !isFieldValue(value)) {
      throw new TypeError(`the header ${JSON.stringify(this.#name)} cannot be sent`);
    }
    const line = `${this.#name}: ${value}\r\n`;
    if (value.length <= maxRememberedLength) {
      this.#value = value;
      this.#line = line;
    }
    return line;
  }
}

/** Fields by name: backends choose names, too. */
const known = new TextMemo<Field>(50_000);

function fieldOf(name: string): Field {
  return known.get(name) ?? known.keep(name, new Field(name));
}
