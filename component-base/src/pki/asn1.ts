/** The library that reads and writes ASN.1, and the parts of certificates in it. */
export type Asn1 = Awaited<ReturnType<typeof loadAsn1>>;

/** Loads it when it is first needed: most programs never make a certificate. */
export async function loadAsn1() {
  const [{ AsnConvert, OctetString }, x509] = await Promise.all([
    import("@peculiar/asn1-schema"),
    import("@peculiar/asn1-x509"),
  ]);
  return { AsnConvert, OctetString, x509 };
}
