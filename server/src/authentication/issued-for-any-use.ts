import type { X509Certificate } from "node:crypto";
import { certificatesOf, isValidAt } from "@gatehouse/component-base";

/** Extended key usages (RFC 5280, section 4.2.1.12). */
const anyUse = "2.5.29.37.0";
const clientUse = "1.3.6.1.5.5.7.3.2";

/**
 * Whether one of the authorities has issued a certificate for any use, both of which are valid at `now`. OpenSSL reports
 * the last fault that it finds only, so a certificate whose use it faults has to be looked at from the beginning. Chains
 * with further authorities in between are not followed: their constraints would have to be checked here too.
 */
export function isIssuedForAnyUse(leaf: X509Certificate, authoritiesPem: string, now: number): boolean {
  return (
    leaf.keyUsage?.includes(anyUse) === true &&
    isValidAt(leaf, now) &&
    certificatesOf(authoritiesPem).some(
      (authority) =>
        authority.ca &&
        isValidAt(authority, now) &&
        maySignClients(authority) &&
        leaf.checkIssued(authority) &&
        leaf.verify(authority.publicKey),
    )
  );
}

/** Go takes the extended usages of an authority as bounds of those below it. */
function maySignClients({ keyUsage }: X509Certificate): boolean {
  return keyUsage === undefined || keyUsage.includes(anyUse) || keyUsage.includes(clientUse);
}
