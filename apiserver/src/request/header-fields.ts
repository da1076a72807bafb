/** Headers of an answer by name. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** Headers as names and values in turn, in the order in which they are sent. A name may come several times. */
export type HeaderFields = readonly string[];

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

/** Sets headers as `setField` does. */
export function setFields(fields: string[], headers: AnswerHeaders): void {
  for (const name in headers) {
    setField(fields, name, headers[name] as string);
  }
}
