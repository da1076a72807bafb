import { readFile, writeFile } from "node:fs/promises";

const pageBytes = 4096;
const flippedBytes = 64;

/** Flips 64 bytes of a file where `text` is, in every place where it is. Answers in how many. */
export async function flipBytesAt(path: string, text: string): Promise<number> {
  return damageAt(path, text, (bytes, at) => {
    for (let i = at; i < Math.min(at + flippedBytes, bytes.length); i++) {
      bytes[i] = (bytes[i] as number) ^ 0x5a;
    }
  });
}

/** Overwrites with zeros every page of a file that has `text`. Answers how many. */
export async function zeroPagesWith(path: string, text: string): Promise<number> {
  return damageAt(path, text, (bytes, at) => {
    const page = at - (at % pageBytes);
    bytes.fill(0, page, page + pageBytes);
  });
}

async function damageAt(path: string, text: string, damage: (bytes: Buffer, at: number) => void): Promise<number> {
  const bytes = await readFile(path);
  let places = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    damage(bytes, at);
    places++;
  }
  await writeFile(path, bytes);
  return places;
}
