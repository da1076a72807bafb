import { createHash, randomBytes } from "node:crypto";

/** Content of a ConfigMap: a value, and a checksum that shows if half of it is missing. */
export interface Content {
  readonly value: string;
  readonly sum: string;
}

/** Up to some pages of the store. */
const defaultMaxBytes = 12_000;

export function randomContent(maxBytes: number = defaultMaxBytes): Content {
  const value = randomBytes(Math.floor(Math.random() ** 4 * maxBytes)).toString("base64");
  return { value, sum: sumOf(value) };
}

export function isWhole(content: Readonly<Record<string, string>> | undefined): boolean {
  return content !== undefined && content["sum"] === sumOf(content["value"] ?? "");
}

export function sumOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}

/** A write that the server has acknowledged, with the revision it got. */
export interface AcknowledgedWrite {
  readonly name: string;
  readonly revision: number;
  /** The sum of the content; undefined for a deletion. */
  readonly sum: string | undefined;
}
