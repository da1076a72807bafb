import { fieldNameOf, isFieldValue } from "@gatehouse/component-base/http1";
import { isConnectionField } from "@gatehouse/component-base/http2";
import type { HeaderFields } from "../request/header-fields.js";

/**
 * Adds headers of an answer to the fields of its head: names in lower case and values in turn. Returns true if there is a
 * date among them. Throws TypeError for one that HTTP/2 does not carry.
 */
export function pushFields(fields: string[], sent: HeaderFields): boolean {
  let hasDate = false;
  for (let at = 0; at < sent.length; at += 2) {
    const header = sent[at] as string;
    const name = checkedName(header);
    fields.push(name, checkedValue(name, sent[at + 1] as string));
    hasDate ||= name === "date";
  }
  return hasDate;
}

function checkedName(header: string): string {
  const { lower, isToken } = fieldNameOf(header);
  if (!isToken || isConnectionField(lower)) {
    throw new TypeError(`HTTP/2 carries no header ${JSON.stringify(header)}`);
  }
  return lower;
}

function checkedValue(name: string, value: string): string {
  if (!isFieldValue(value)) {
    throw new TypeError(`a character of the header ${name} cannot be sent`);
  }
  return value;
}
