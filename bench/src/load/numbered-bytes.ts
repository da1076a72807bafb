import { numberDigits, numberMark } from "./load-request.js";

/** Bytes that are ready but for a number, which stands at any number of places in decimal digits. */
export interface NumberedBytes {
  readonly bytes: Buffer;
  readonly numberOffsets: readonly number[];
}

/** The bytes of a text with zeros where the number will stand. */
export function numberedBytes(text: string, encoding: BufferEncoding = "utf8"): NumberedBytes {
  const zeros = "0".repeat(numberDigits);
  const parts = text.split(numberMark);
  const numberOffsets: number[] = [];
  let length = 0;
  for (const part of parts.slice(0, -1)) {
    length += Buffer.byteLength(part, encoding);
    numberOffsets.push(length);
    length += numberDigits;
  }
  return { bytes: Buffer.from(parts.join(zeros), encoding), numberOffsets };
}

/** Puts the number into bytes that have the form of the template, in place. */
export function writeNumber({ numberOffsets }: NumberedBytes, bytes: Buffer, value: number): void {
  if (numberOffsets.length === 0) {
    return;
  }
  const text = String(value).padStart(numberDigits, "0");
  for (const offset of numberOffsets) {
    bytes.write(text, offset, "latin1");
  }
}
