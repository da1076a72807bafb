/** Longest text in characters that is read; no address is longer. */
const maxLength = 10_000;

/**
 * Reports whether a text is an address as mail headers carry it (RFC 5322), alone or in angle brackets behind a name.
 */
export function isEmail(text: string): boolean {
  if (text.length > maxLength) {
    return false;
  }
  const trimmed = text.trim();
  if (isAddressSpec(trimmed)) {
    return true;
  }
  const open = trimmed.endsWith(">") ? trimmed.lastIndexOf("<") : -1;
  return open >= 0 && isPhrase(trimmed.slice(0, open).trim()) && isAddressSpec(trimmed.slice(open + 1, -1).trim());
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]+";
const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`, "u");
const phraseWord = new RegExp(`^(?:${atom}|\\.|"(?:[^"\\\\\\r\\n]|\\\\.)*"|[ \\t])+$`, "u");
const quotedLocal = /^"(?:[^"\\\r\n]|\\.)*"$/u;

function isAddressSpec(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1) {
    return false;
  }
  const local = text.slice(0, at).trimEnd();
  const domain = text.slice(at + 1).trimStart();
  return (dotAtom.test(local) || quotedLocal.test(local)) && (dotAtom.test(domain) || isDomainLiteral(domain));
}

/** Reports whether a domain has the form `[10.0.0.1]`, whose content v1.29's Go does not check. */
function isDomainLiteral(domain: string): boolean {
  return /^\[[!-Z^-~]*\]$/.test(domain);
}

function isPhrase(text: string): boolean {
  return text === "" || phraseWord.test(text);
}
