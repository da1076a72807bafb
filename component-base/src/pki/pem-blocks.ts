/** A block of PEM text (RFC 7468). */
export interface PemBlock {
  /** What its first line says it is: `CERTIFICATE`, `RSA PRIVATE KEY`. */
  readonly label: string;
  /** Whether lines such as `Proc-Type: 4,ENCRYPTED` come before its bytes (RFC 1421). */
  readonly hasHeaders: boolean;
  readonly der: Buffer;
}

const beginning = "-----BEGIN ";
const end = "-----END ";
const dashes = "-----";

/**
 * The blocks in PEM text, as Go's `encoding/pem` finds them: first and last line stand alone, whatever stands around them is
 * passed over, and so is a block that ends otherwise than it begins or is not base64. OpenSSL is stricter in some of this
 * and looser in other; files that people have for Kubernetes were read by Go.
 */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let open: { readonly label: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n").map((whole) => whole.replace(/\r$/, "").replace(/[ \t]+$/, ""))) {
    if (line.startsWith(beginning)) {
      open = line.endsWith(dashes) ? { label: line.slice(beginning.length, -dashes.length), lines: [] } : undefined;
    } else if (line.startsWith(end)) {
      const block = line === `${end}${open?.label}${dashes}` ? blockOf(open) : undefined;
      blocks.push(...(block === undefined ? [] : [block]));
      open = undefined;
    } else if (line.includes(beginning)) {
      open = undefined;
    } else {
      open?.lines.push(line);
    }
  }
  return blocks;
}

function blockOf(
  open: { readonly label: string; readonly lines: readonly string[] } | undefined,
): PemBlock | undefined {
  if (open === undefined) {
    return undefined;
  }
  const { label, lines } = open;
  const first = lines.findIndex((line) => !line.includes(":"));
  const base64 = lines
    .slice(first < 0 ? lines.length : first)
    .join("")
    .replace(/[ \t\r]/g, "");
  return base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64)
    ? { label, hasHeaders: first !== 0 && lines.length > 0, der: Buffer.from(base64, "base64") }
    : undefined;
}
