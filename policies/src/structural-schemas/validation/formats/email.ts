/** Longest text in characters that is read; no address is longer. */
const maxLength = 10_000;

/**
 * Reports whether a text is an address as mail headers carry it (RFC 5322), alone or in angle brackets behind a name, with comments
 * in parentheses at the end.
 */
export function isEmail(text: string): boolean {
  if (text.length > maxLength) {
    return false;
  }
  const address = withoutComments(text)?.replace(blanksAround, "");
  if (address === undefined) {
    return false;
  }
  if (isAddressSpec(address)) {
    return true;
  }
  const open = address.endsWith(">") ? address.lastIndexOf("<") : -1;
  return (
    open >= 0 &&
    isPhrase(address.slice(0, open)) &&
    isAddressSpec(address.slice(open + 1, -1).replace(blanksAround, ""))
  );
}

// The looks behind keep runs of blanks from being tried again from each of their characters.
const blanksAround = /^[ \t]+|(?<![ \t])[ \t]+$/g;
const atomCharacter = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]";
/** The content of a text in quotes: printable characters and blanks, and those behind a backslash. */
const quotedText = "(?:[ \\t!#-[\\]-~\\u0080-\\u{10ffff}]|\\\\[\\t -~\\u0080-\\u{10ffff}])";
const dotAtom = new RegExp(`^${atomCharacter}+(?:\\.${atomCharacter}+)*$`, "u");
const phraseWord = new RegExp(`^(?:${atomCharacter}|\\.|"${quotedText}*"|[ \\t])+$`, "u");
const quotedLocal = new RegExp(`^"${quotedText}+"$`, "u");

/** Returns what stands before the comments at the end; undefined if one of them does not end, or something follows. */
function withoutComments(text: string): string | undefined {
  const start = /^(?:[^"(]|"(?:[^"\\]|\\.)*"?)*/s.exec(text)?.[0].length ?? 0;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string;
    if (character === "\\" && depth > 0) {
      at++;
    } else if (character === "(") {
      depth++;
    } else if (character === ")" && depth > 0) {
      depth--;
    } else if (depth === 0 && character !== " " && character !== "\t") {
      return undefined;
    }
  }
  return depth === 0 ? text.slice(0, start) : undefined;
}

function isAddressSpec(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1) {
    return false;
  }
  const local = text.slice(0, at).replace(blanksAround, "");
  const domain = text.slice(at + 1).replace(blanksAround, "");
  return (dotAtom.test(local) || quotedLocal.test(local)) && (dotAtom.test(domain) || isDomainLiteral(domain));
}

/** Reports whether a domain has the form `[10.0.0.1]`, whose content v1.29's Go does not check. */
function isDomainLiteral(domain: string): boolean {
  return /^\[[!-Z^-~]*\]$/.test(domain);
}

function isPhrase(text: string): boolean {
  return text === "" || phraseWord.test(text);
}
