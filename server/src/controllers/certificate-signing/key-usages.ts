/** Bits of the key usage (RFC 5280, section 4.2.1.3), by v1.29's names. */
const keyUsageBits: ReadonlyMap<string, number> = new Map([
  ["signing", 1],
  ["digital signature", 1],
  ["content commitment", 2],
  ["key encipherment", 4],
  ["data encipherment", 8],
  ["key agreement", 16],
  ["cert sign", 32],
  ["crl sign", 64],
  ["encipher only", 128],
  ["decipher only", 256],
]);

/** Object identifiers of extended usages (section 4.2.1.12), by v1.29's names. */
const extendedUsages: ReadonlyMap<string, string> = new Map([
  ["any", "2.5.29.37.0"],
  ["server auth", "1.3.6.1.5.5.7.3.1"],
  ["client auth", "1.3.6.1.5.5.7.3.2"],
  ["code signing", "1.3.6.1.5.5.7.3.3"],
  ["email protection", "1.3.6.1.5.5.7.3.4"],
  ["s/mime", "1.3.6.1.5.5.7.3.4"],
  ["ipsec end system", "1.3.6.1.5.5.7.3.5"],
  ["ipsec tunnel", "1.3.6.1.5.5.7.3.6"],
  ["ipsec user", "1.3.6.1.5.5.7.3.7"],
  ["timestamping", "1.3.6.1.5.5.7.3.8"],
  ["ocsp signing", "1.3.6.1.5.5.7.3.9"],
  ["microsoft sgc", "1.3.6.1.4.1.311.10.3.3"],
  ["netscape sgc", "2.16.840.1.113730.4.1"],
]);

/** Returns the key usages of a certificate for the usages of a request. Unknown ones are refused before. */
export function usagesOfRequest(usages: readonly string[]): {
  readonly keyUsage: number;
  readonly extendedKeyUsages: readonly string[];
} {
  let keyUsage = 0;
  const extended = new Set<string>();
  for (const usage of usages) {
    keyUsage |= keyUsageBits.get(usage) ?? 0;
    const identifier = extendedUsages.get(usage);
    if (identifier !== undefined) {
      extended.add(identifier);
    }
  }
  return { keyUsage, extendedKeyUsages: [...extended].sort() };
}
