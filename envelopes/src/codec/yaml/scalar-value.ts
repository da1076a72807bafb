import { DecodeError } from "../../errors.js";
import { isInt64 } from "../../json/int64.js";
import type { JsonValue } from "../../json/json.js";
import { resolvePlainScalar } from "./plain-scalar.js";

const resolvable: ReadonlySet<string> = new Set(["bool", "int", "float", "null", "timestamp"]);

/**
 * Returns the value of a scalar by its tag, or else by its text if unquoted. Infinity and NaN are possible. Throws DecodeError
 * when the text is not what the tag says.
 */
export function scalarValue(text: string, isPlain: boolean, tag: string | undefined): JsonValue {
  if (tag === "binary") {
    const padded = text.replace(/(?<!\n)\n+$/, "");
    if (!/^[A-Za-z0-9+/\n]*={0,2}$/.test(padded) || text.replaceAll("\n", "").length % 4 !== 0) {
      throw new DecodeError("yaml: !!binary value contains invalid base64 data");
    }
    return Buffer.from(text, "base64").toString("utf8");
  }
  if (tag === undefined ? !isPlain : !resolvable.has(tag)) {
    return text;
  }
  const { tag: found, value } = resolvePlainScalar(text);
  // Without the tag, a time is a text like others, and of tags none but its own takes it for a time.
  const isWhole = found === "int" && isInt64(value as number | bigint);
  const isOther = tag !== undefined && tag !== found && !(tag === "float" && isWhole);
  if (isOther) {
    const said = found === "timestamp" ? "str" : found;
    throw new DecodeError(`yaml: cannot decode !!${said} \`${text}\` as a !!${tag}`);
  }
  return value;
}
