/** Returns the texts of the Warning headers of an answer (RFC 7234, section 5.5): `299 - "text"`, with commas between. */
export function warningsIn(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === "string" ? header : (header ?? []).join(", ");
  return [...text.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = ""]) =>
    Buffer.from(quoted.replace(/\\(.)/gs, "$1"), "latin1").toString("utf8"),
  );
}
