import type { JsonValue } from "../json/json.js";

const firstAddress = 0xc000000000;

/** The address that stands where v1.29 prints one of memory. */
export const someAddress = `0x${firstAddress.toString(16)}`;

/**
 * Returns the text of a pointer inside a value that Go shows with `%#v`: nil, or a made-up address. `serial`
 * distinguishes pointers that v1.29 makes anew each time it shows them.
 */
export function goPointer(type: string, target: JsonValue | undefined, serial = 0): string {
  const isNil = target === undefined || target === null;
  return `(*${type})(${isNil ? "nil" : `0x${(firstAddress + 16 * serial).toString(16)}`})`;
}
