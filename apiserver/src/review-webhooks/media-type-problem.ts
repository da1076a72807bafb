const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;
const blanks = /^[\t-\r \u0085\u00a0]+/;

/**
 * Returns the fault that Go finds in a Content-Type, in its words; undefined for none. An answer whose type is faulty is not read
 * by v1.29, whatever it is.
 */
export function mediaTypeProblem(contentType: string): string | undefined {
  const end = contentType.indexOf(";");
  const type = (end < 0 ? contentType : contentType.slice(0, end)).trim();
  return typeProblem(type) ?? (end < 0 ? undefined : parametersProblem(contentType.slice(end)));
}

function typeProblem(type: string): string | undefined {
  const main = token.exec(type)?.[0] ?? "";
  if (main === "") {
    return "mime: no media type";
  }
  const rest = type.slice(main.length);
  if (rest === "") {
    return undefined;
  }
  if (!rest.startsWith("/")) {
    return "mime: expected slash after first token";
  }
  const sub = token.exec(rest.slice(1))?.[0] ?? "";
  if (sub === "") {
    return "mime: expected token after slash";
  }
  return sub.length + 1 === rest.length ? undefined : "mime: unexpected content after media subtype";
}

/** Checks parameters from the first semicolon on; one that ends the text is no fault. */
function parametersProblem(text: string): string | undefined {
  const known = new Map<string, string>();
  let rest = text.replace(blanks, "");
  while (rest !== "") {
    const parameter = readParameter(rest);
    if (parameter === undefined) {
      return rest.trim() === ";" ? undefined : "mime: invalid media parameter";
    }
    const { name, value } = parameter;
    if ((known.get(name) ?? value) !== value) {
      return "mime: duplicate parameter name";
    }
    known.set(name, value);
    rest = parameter.rest.replace(blanks, "");
  }
  return undefined;
}

interface Parameter {
  readonly name: string;
  readonly value: string;
  /** The text after the parameter. */
  readonly rest: string;
}

function readParameter(text: string): Parameter | undefined {
  if (!text.startsWith(";")) {
    return undefined;
  }
  const named = text.slice(1).replace(blanks, "");
  const name = token.exec(named)?.[0] ?? "";
  const assigned = named.slice(name.length).replace(blanks, "");
  if (name === "" || !assigned.startsWith("=")) {
    return undefined;
  }
  const valued = assigned.slice(1).replace(blanks, "");
  // A line never ends inside of a header, so that any character may be in quotes.
  const written = valued.startsWith('"') ? /^"(?:[^"\\]|\\.)*"/.exec(valued)?.[0] : token.exec(valued)?.[0];
  return written === undefined
    ? undefined
    : { name: name.toLowerCase(), value: written, rest: valued.slice(written.length) };
}
