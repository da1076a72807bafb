/** A request whose bytes are ready but for a number, which stands at one or more places in decimal digits. */
export interface RequestTemplate {
  readonly bytes: Buffer;
  readonly numberOffsets: readonly number[];
  readonly digits: number;
}

/** Stands in for the number while a request is composed; occurs nowhere else. */
export const numberMark = "{number}";

/** Composes a request. `numberMark` in the path or the body becomes the number, with `digits` digits. */
export function requestTemplate(method: string, path: string, body: string | undefined, digits = 9): RequestTemplate {
  const zeros = "0".repeat(digits);
  const bodyLength = body === undefined ? 0 : Buffer.byteLength(body.replaceAll(numberMark, zeros));
  const headers = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", "Accept: application/json"];
  if (body !== undefined) {
    headers.push("Content-Type: application/json", `Content-Length: ${bodyLength}`);
  }
  const parts = `${headers.join("\r\n")}\r\n\r\n${body ?? ""}`.split(numberMark);
  const numberOffsets: number[] = [];
  let length = 0;
  for (const part of parts.slice(0, -1)) {
    length += Buffer.byteLength(part);
    numberOffsets.push(length);
    length += digits;
  }
  return { bytes: Buffer.from(parts.join(zeros)), numberOffsets, digits };
}

/** Puts the number into bytes that have the form of the template, in place. */
export function writeNumber(template: RequestTemplate, bytes: Buffer, value: number): void {
  if (template.numberOffsets.length === 0) {
    return;
  }
  const text = String(value).padStart(template.digits, "0");
  for (const offset of template.numberOffsets) {
    bytes.write(text, offset, "latin1");
  }
}
