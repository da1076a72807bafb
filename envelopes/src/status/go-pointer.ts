import type { JsonValue } from "../json/json.js";

const firstAddress = 0xc000000000;

/**
 * A pointer inside of something that Go shows with `%#v`: nil, or an address of memory, where one stands that is nobody's.
 * `serial` tells apart what v1.29 makes anew each time that it shows it.
 */
export function goPointer(type: string, target: JsonValue | undefined, serial = 0): string {
  const isNil = target === undefined || target === null;
  return `(*${type})(${isNil ? "nil" : `0x${(firstAddress + 16 * serial).toString(16)}`})`;
}
