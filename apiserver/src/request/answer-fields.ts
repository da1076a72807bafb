/** Headers of an answer by name; a list is sent as that many headers. */
export type AnswerHeaders = Readonly<Record<string, string | number | readonly string[]>>;

/** Headers of an answer as names and values in turn, in which they are sent and passed on. */
export type AnswerFields = readonly string[];

/** Sets the header of a name, in place of what it is set to. Names are compared with their case. */
export function setField(fields: string[], name: string, value: string): void {
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at] === name) {
      fields[at + 1] = value;
      return;
    }
  }
  fields.push(name, value);
}

/** Sets headers as `setField` does. A list is added. */
export function setFields(fields: string[], headers: AnswerHeaders): void {
  for (const name in headers) {
    const value = headers[name] as AnswerHeaders[string];
    if (typeof value === "object") {
      for (const each of value) {
        fields.push(name, each);
      }
    } else {
      setField(fields, name, String(value));
    }
  }
}

/** Returns the value of a header; undefined if it is not set. */
export function fieldOf(fields: AnswerFields, name: string): string | undefined {
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at] === name) {
      return fields[at + 1];
    }
  }
  return undefined;
}
