import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { AddProblem, Section } from "./section.js";

/** PEM text, and the file that it was read from if it was. */
export interface PemText {
  readonly text: string;
  readonly file?: string;
}

/** Context of reading a document: its path, the function that reads files, and the one that collects problems. */
export interface Reading {
  /** The kubeconfig itself: relative file names start from its folder. */
  readonly path: string;
  readonly readFile?: (path: string) => Promise<string>;
  readonly add: AddProblem;
}

/** A file name of the kubeconfig, as the whole path. */
export function resolvePath({ path }: Pick<Reading, "path">, file: string): string {
  return resolve(dirname(path), file);
}

/** The content of `<key>-data`, which wins as in client-go, or of the file that `<key>` names. */
export async function readPem(section: Section, key: string, reading: Reading): Promise<PemText | undefined> {
  const data = section.string(`${key}-data`);
  if (data !== undefined) {
    const text = Buffer.from(data, "base64").toString("utf8");
    if (!text.includes("-----BEGIN ")) {
      reading.add(`${section.path}.${key}-data`, "is not base64 of PEM text");
    }
    return { text };
  }
  const named = section.string(key);
  if (named === undefined) {
    return undefined;
  }
  const file = resolvePath(reading, named);
  try {
    return { text: await (reading.readFile ?? ((path) => readFile(path, "utf8")))(file), file };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
    reading.add(`${section.path}.${key}`, `${named} cannot be read (${code})`);
    return undefined;
  }
}
