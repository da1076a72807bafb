import type { AnswerFields, AnswerHeaders } from "../request/exchange.js";

/** Reports whether headers are names and values in turn. */
export function areFields(headers: AnswerHeaders | AnswerFields): headers is AnswerFields {
  return Array.isArray(headers);
}

/** Returns headers as names and values in turn. */
export function fieldsOfHeaders(headers: AnswerHeaders): string[] {
  const fields: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "object") {
      for (const each of value) {
        fields.push(name, each);
      }
    } else {
      fields.push(name, String(value));
    }
  }
  return fields;
}

/** Returns fields as headers by name: those of one name, in any case, become one list under the first spelling. */
export function headersOfFields(fields: AnswerFields): AnswerHeaders {
  const headers: AnswerHeaders = Object.create(null);
  const spellings = new Map<string, string>();
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] as string;
    const value = fields[at + 1] as string;
    const lower = name.toLowerCase();
    const spelling = spellings.get(lower);
    if (spelling === undefined) {
      spellings.set(lower, name);
      headers[name] = value;
    } else {
      const known = headers[spelling] as string | readonly string[];
      headers[spelling] = [...(typeof known === "object" ? known : [known]), value];
    }
  }
  return headers;
}
