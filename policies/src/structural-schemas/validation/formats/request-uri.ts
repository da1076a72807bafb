/**
 * Reports whether a text is a URI with a scheme, or an absolute path, by the rules of Go's `url.ParseRequestURI`:
 * fragments are not recognized, escapes must be whole, and a host must be valid.
 */
export function isRequestUri(text: string): boolean {
  if (text === "" || hasControl(text)) {
    return false;
  }
  if (text === "*") {
    return true;
  }
  const scheme = schemeOf(text);
  if (scheme === undefined) {
    return false;
  }
  const rest = withoutQuery(text.slice(scheme.length === 0 ? 0 : scheme.length + 1));
  if (!rest.startsWith("/")) {
    return scheme !== "";
  }
  if (scheme === "" || !rest.startsWith("//")) {
    return hasWholeEscapes(rest);
  }
  const slash = rest.indexOf("/", 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  return isAuthority(authority) && hasWholeEscapes(slash < 0 ? "" : rest.slice(slash));
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) {
      return true;
    }
  }
  return false;
}

/** Returns the scheme, empty when there is none; undefined when there is a colon and nothing before it. */
function schemeOf(text: string): string | undefined {
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (/[a-zA-Z]/.test(character) || (i > 0 && /[0-9+.-]/.test(character))) {
      continue;
    }
    if (character === ":") {
      return i === 0 ? undefined : text.slice(0, i);
    }
    return "";
  }
  return "";
}

function withoutQuery(text: string): string {
  const mark = text.indexOf("?");
  return mark < 0 ? text : text.slice(0, mark);
}

function hasWholeEscapes(text: string): boolean {
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) {
    if (!/^[0-9a-fA-F]{2}$/.test(text.slice(at + 1, at + 3))) {
      return false;
    }
  }
  return true;
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  const userinfo = at < 0 ? "" : authority.slice(0, at);
  return (
    /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo) && hasWholeEscapes(userinfo) && isHost(authority.slice(at + 1))
  );
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) {
    const end = host.lastIndexOf("]");
    return end > 0 && isPort(host.slice(end + 1)) && isHostText(host.slice(1, end), true);
  }
  const colon = host.lastIndexOf(":");
  return (colon < 0 || isPort(host.slice(colon))) && isHostText(host, false);
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

/** Escapes stand for bytes of other scripts only, or, behind the percent sign of a zone, for what may stand there. */
function isHostText(host: string, isLiteral: boolean): boolean {
  const zone = isLiteral ? host.indexOf("%25") : -1;
  const name = zone < 0 ? host : host.slice(0, zone);
  const escapesOk = [...name.matchAll(/%(.{0,2})/gs)].every(([, digits = ""]) =>
    /^[89a-fA-F][0-9a-fA-F]$/.test(digits),
  );
  return (
    escapesOk &&
    !/[ "<>\\^`{|}#/?@]/.test(name.replace(/["<>]/g, "")) &&
    (zone < 0 || hasWholeEscapes(host.slice(zone)))
  );
}
