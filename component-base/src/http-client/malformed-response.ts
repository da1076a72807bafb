import { goQuote } from "@gatehouse/envelopes/go";

/** Maximum length of the part of a malformed answer that an error quotes, in characters. */
const maxTold = 200;

/**
 * Returns the error of Go's HTTP client for the beginning of an answer; undefined if Go accepts it, though this client,
 * which keeps to RFC 9112 strictly, does not.
 */
export function malformedResponseProblem(beginning: string): string | undefined {
  const [statusLine = "", ...lines] = beginning.split(/\r?\n/);
  const end = lines.indexOf("");
  // Without its end the last line is not whole, but Go looks at it all the same.
  const headers = end < 0 ? lines : lines.slice(0, end);
  return statusLineProblem(statusLine) ?? headersProblem(headers) ?? lengthProblem(headers);
}

function statusLineProblem(line: string): string | undefined {
  const space = line.indexOf(" ");
  if (space < 0) {
    return line === "" ? undefined : `malformed HTTP response ${quoted(line)}`;
  }
  const [code = ""] = line
    .slice(space + 1)
    .replace(/^ +/, "")
    .split(" ", 1);
  if (!/^\d{3}$/.test(code)) {
    return `malformed HTTP status code ${quoted(code)}`;
  }
  const version = line.slice(0, space);
  return /^HTTP\/\d\.\d$/.test(version) ? undefined : `malformed HTTP version ${quoted(version)}`;
}

function headersProblem(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const colon = line.indexOf(":");
    // Lines that go on with the one before them have none.
    if (colon < 0 && !/^[ \t]/.test(line)) {
      return `malformed MIME header: missing colon: ${quoted(line)}`;
    }
    if (colon === 0) {
      return `malformed MIME header line: ${quoted(line)}`;
    }
  }
  return undefined;
}

function lengthProblem(lines: readonly string[]): string | undefined {
  const lengths = lines
    .filter((line) => /^content-length:/i.test(line))
    .map((line) => line.slice(line.indexOf(":") + 1).trim());
  const [length, ...others] = lengths;
  if (length === undefined) {
    return undefined;
  }
  if (others.some((other) => other !== length)) {
    return `http: message cannot contain multiple Content-Length headers; got [${lengths.map(quoted).join(" ")}]`;
  }
  if (length === "") {
    return 'invalid empty Content-Length ""';
  }
  return /^\d{1,18}$/.test(length) ? undefined : `bad Content-Length ${quoted(length)}`;
}

function quoted(text: string): string {
  return goQuote(text.slice(0, maxTold));
}
