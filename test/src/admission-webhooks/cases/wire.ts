import { gzipSync } from "node:zlib";
import type { HookAnswer, Review, WirePiece } from "../hook-server.js";
import { answer, type CaseWebhook, create, type WebhookCase } from "../webhook-case.js";

/** Prefix of the names of these cases. */
export const wirePrefix = "wire: ";

/** Returns the bytes that a server writes, for the text of an answer that allows. */
type Wire = (allowing: string, review: Review) => HookAnswer;

/** One webhook for each type and failure policy, each for one of the requests. */
function onEachWay(name: string, wire: Wire, more: Record<string, unknown> = {}): WebhookCase {
  const hook = (review: Review): HookAnswer => wire(allowing(review), review);
  const ways = (["mutating", "validating"] as const).flatMap((type) =>
    ["Fail", "Ignore"].map((failurePolicy): CaseWebhook => {
      const way = `${type[0]}-${failurePolicy.toLowerCase()}`;
      return { type, name: way, hook, more: { objectSelector: { matchLabels: { way } }, failurePolicy, ...more } };
    }),
  );
  return {
    name: `${wirePrefix}${name}`,
    webhooks: ways,
    requests: ways.map(({ name: way }) => create(way, { metadata: { labels: { way } } })),
  };
}

function allowing(review: Review): string {
  const told = answer(review, { allowed: true });
  return typeof told === "object" && "json" in told ? JSON.stringify(told.json) : "";
}

/** Bytes as they are, and then the end of the connection. */
const writes =
  (...pieces: readonly WirePiece[]): Wire =>
  () => ({ wire: pieces });
/** The head lines given, and the answer. */
const headed =
  (
    statusLine: string,
    headers: readonly string[] = [],
    body: (text: string) => string | Buffer = (text) => text,
  ): Wire =>
  (text) => {
    const bytes = body(text);
    return { wire: [[statusLine, "Content-Type: application/json", ...headers, "", ""].join("\r\n"), bytes] };
  };
const ok = "HTTP/1.1 200 OK";
const length = (text: string | Buffer, by = 0): string => `Content-Length: ${Buffer.byteLength(text) + by}`;
/** The answer with a length, and head lines before it. */
const whole =
  (headers: readonly string[], before = "", by = 0): Wire =>
  (text) => ({
    wire: [before, [ok, "Content-Type: application/json", ...headers, length(text, by), "", ""].join("\r\n"), text],
  });
const chunk = (text: string, extension = ""): string =>
  `${Buffer.byteLength(text).toString(16)}${extension}\r\n${text}\r\n`;
const chunked = (body: (text: string) => string, headers: readonly string[] = []): Wire =>
  headed(ok, ["Transfer-Encoding: chunked", ...headers], body);
/** A text with a status of success. */
const says =
  (body: (text: string, review: Review) => string | Buffer, contentType = "application/json"): Wire =>
  (text, review) => {
    const bytes = body(text, review);
    return { wire: [`${ok}\r\nContent-Type: ${contentType}\r\n${length(bytes)}\r\n\r\n`, bytes] };
  };
/** The answer with its response written otherwise. */
const responds = (members: string): Wire =>
  says(
    (_, { apiVersion, request: { uid } }) =>
      `{"apiVersion":"${apiVersion}","kind":"AdmissionReview","response":{"uid":"${uid}",${members}}}`,
  );
const refuses = (code: string): Wire => responds(`"allowed":false,"status":{"message":"no","code":${code}}`);
const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const slowly = (text: string, ms: number, size: number): WirePiece[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => [text.slice(i * size, (i + 1) * size), ms]).flat();
const second = { timeoutSeconds: 1 };

/** Head and framing. */
const framing: readonly WebhookCase[] = [
  onEachWay("the head comes slowly, but in time", (text) => ({
    wire: [...slowly(`${ok}\r\nContent-Type: application/json\r\n${length(text)}\r\n\r\n`, 1, 8), text],
  })),
  onEachWay("the body comes slowly, but in time", (text) => ({
    wire: [`${ok}\r\n${length(text)}\r\n\r\n`, ...slowly(text, 1, 16)],
  })),
  onEachWay("the head does not end", writes(`${ok}\r\nX-A: `, 60_000), second),
  onEachWay("ends the connection before it answers", writes()),
  onEachWay("ends the connection in the status line", writes("HTTP/1.1 2")),
  onEachWay("ends the connection after the status line", writes(`${ok}\r\n`)),
  onEachWay("ends the connection in the head", writes(`${ok}\r\nContent-Ty`)),
  onEachWay("resets the connection in the body", (text) => ({
    wire: [`${ok}\r\n${length(text)}\r\n\r\n`, text.slice(0, 20), 30],
    end: "reset",
  })),
  onEachWay("no length, and the end of the connection", headed(ok)),
  onEachWay("HTTP/1.0 with a length", (text) => ({ wire: [`HTTP/1.0 200 OK\r\n${length(text)}\r\n\r\n`, text] })),
  onEachWay("HTTP/1.0 without a length", headed("HTTP/1.0 200 OK")),
  onEachWay("HTTP/1.0 kept alive", (text) => ({
    wire: [`HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n${length(text)}\r\n\r\n`, text],
  })),
  onEachWay("the body alone", (text) => ({ wire: [text] })),
  ...["HTTP/2.0 200 OK", "HTTP/1.2 200 OK", "HTTP/9.9 200 OK", "HTTP/1 200 OK", "http/1.1 200 OK", "ICY 200 OK"].map(
    (line) => onEachWay(`status line ${line}`, headed(line)),
  ),
  ...["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.1  200 OK", "HTTP/1.1 OK", "HTTP/1.1", "HTTP/1.1 20 OK"].map((line) =>
    onEachWay(`status line ${JSON.stringify(line)}`, headed(line)),
  ),
  ...["000", "099", "600", "999", "1000", "-1", "2e2"].map((code) =>
    onEachWay(`status ${code}`, headed(`HTTP/1.1 ${code} Odd`)),
  ),
  ...[204, 205, 304].map((code) => onEachWay(`status ${code} with a body`, headed(`HTTP/1.1 ${code} Odd`))),
  ...[204, 304].map((code) =>
    onEachWay(
      `status ${code} without one`,
      headed(`HTTP/1.1 ${code} Odd`, [], () => ""),
    ),
  ),
  onEachWay("100 before it answers", whole([], "HTTP/1.1 100 Continue\r\n\r\n")),
  onEachWay("103 before it answers", whole([], "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")),
  onEachWay("102 three times before it answers", whole([], "HTTP/1.1 102 Processing\r\n\r\n".repeat(3))),
  onEachWay("102 ten times before it answers", whole([], "HTTP/1.1 102 Processing\r\n\r\n".repeat(10))),
  onEachWay("101", headed("HTTP/1.1 101 Switching Protocols", ["Upgrade: websocket", "Connection: Upgrade"])),
  onEachWay("100 and no more", writes("HTTP/1.1 100 Continue\r\n\r\n")),
  onEachWay(
    "chunks",
    chunked((text) => `${chunk(text.slice(0, 9))}${chunk(text.slice(9))}0\r\n\r\n`),
  ),
  onEachWay(
    "chunks with extensions",
    chunked((text) => `${chunk(text, ';a=b;c="d"')}0;e\r\n\r\n`),
  ),
  onEachWay(
    "chunks with trailers",
    chunked((text) => `${chunk(text)}0\r\nX-A: b\r\n\r\n`, ["Trailer: X-A"]),
  ),
  onEachWay(
    "chunks without the last one",
    chunked((text) => chunk(text)),
  ),
  onEachWay(
    "chunks of no size",
    chunked((text) => `zz\r\n${text}\r\n0\r\n\r\n`),
  ),
  onEachWay(
    "chunk that is shorter than it says",
    chunked((text) => `fff\r\n${text}`),
  ),
  onEachWay(
    "chunk that is longer than it says",
    chunked((text) => `5\r\n${text}\r\n0\r\n\r\n`),
  ),
  onEachWay(
    "chunks and a length",
    chunked((text) => `${chunk(text)}0\r\n\r\n`, ["Content-Length: 5"]),
  ),
  onEachWay(
    "chunks in HTTP/1.0",
    headed("HTTP/1.0 200 OK", ["Transfer-Encoding: chunked"], (text) => chunk(text)),
  ),
  onEachWay(
    "transfer encoding gzip",
    headed(ok, ["Transfer-Encoding: gzip, chunked"], (text) => chunk(text)),
  ),
  onEachWay("gzip", (text) => packed(text, "gzip")),
  onEachWay("gzip in capitals", (text) => packed(text, "GZIP")),
  onEachWay("x-gzip", (text) => packed(text, "x-gzip")),
  onEachWay("gzip that is none", (text) => ({
    wire: [`${ok}\r\nContent-Encoding: gzip\r\n${length(text)}\r\n\r\n`, text],
  })),
  onEachWay("content encoding deflate", whole(["Content-Encoding: deflate"])),
  onEachWay("content encoding identity", whole(["Content-Encoding: identity"])),
  onEachWay("the length twice", (text) => whole([length(text)])(text, {} as Review)),
  onEachWay("two lengths", whole(["Content-Length: 5"])),
  onEachWay("a length below zero", headed(ok, ["Content-Length: -5"])),
  onEachWay("a length with a plus", (text) => headed(ok, [`Content-Length: +${text.length}`])(text, {} as Review)),
  onEachWay("a length in words", headed(ok, ["Content-Length: five"])),
  onEachWay("no length after the colon", headed(ok, ["Content-Length:"])),
  onEachWay("too small a length", whole([], "", -5)),
  onEachWay("too large a length", whole([], "", 5)),
  onEachWay("a length beyond all bounds", headed(ok, ["Content-Length: 99999999999999999999"])),
  onEachWay("lines that end with a line feed alone", (text) => ({ wire: [`${ok}\n${length(text)}\n\n`, text] })),
  onEachWay("a folded header", whole(["X-A: b\r\n c"])),
  onEachWay("a header without a colon", whole(["X-A"])),
  onEachWay("a header without a name", whole([": a"])),
  onEachWay("a header with a space in its name", whole(["X A: b"])),
  onEachWay("a space before the colon", whole(["X-A : b"])),
  onEachWay("a header with a null byte", whole(["X-A: \u0000"])),
  onEachWay("a header of other bytes", whole(["X-A: \u00e9\u20ac"])),
  onEachWay("a header of 20,000 bytes", whole([`X-A: ${"a".repeat(20_000)}`])),
  onEachWay("a header of 300,000 bytes", whole([`X-A: ${"a".repeat(300_000)}`])),
  onEachWay("3,000 headers", whole(Array.from({ length: 3000 }, (_, i) => `X-${i}: a`))),
  onEachWay("each header twice", whole(["Content-Type: text/html", "Date: a", "Date: b", "Connection: close"])),
  onEachWay("more after its end", (text) => ({ wire: [`${ok}\r\n${length(text)}\r\n\r\n${text}`, "more"] })),
];

function packed(text: string, encoding: string): HookAnswer {
  const bytes = gzipSync(text);
  return { wire: [`${ok}\r\nContent-Encoding: ${encoding}\r\n${length(bytes)}\r\n\r\n`, bytes] };
}

/** Documents. */
const documents: readonly WebhookCase[] = [
  onEachWay(
    "HTML",
    says(() => "<!DOCTYPE html><html><body>Sign in</body></html>", "text/html"),
  ),
  onEachWay(
    "a byte order mark",
    says((text) => `\ufeff${text}`),
  ),
  onEachWay(
    "UTF-16",
    says((text) => Buffer.from(`\ufeff${text}`, "utf16le")),
  ),
  onEachWay(
    "space around it",
    says((text) => `\r\n\t ${text}\r\n\t `),
  ),
  onEachWay(
    "more after the document",
    says((text) => `${text} more`),
  ),
  onEachWay(
    "the document twice",
    says((text) => `${text}\n${text}`),
  ),
  onEachWay(
    "a null byte after it",
    says((text) => `${text}\u0000`),
  ),
  onEachWay(
    "bytes that are no UTF-8",
    says((text) => Buffer.from(text.replace("{", '{"a":"\u00ff",'), "latin1")),
  ),
  ...["application/yaml", "application/vnd.kubernetes.protobuf", "application/json; charset=utf-16", ""].map((type) =>
    onEachWay(
      `content type ${JSON.stringify(type)}`,
      says((text) => text, type),
    ),
  ),
  onEachWay(
    "YAML as such",
    says(
      (_, { apiVersion, request: { uid } }) =>
        `apiVersion: ${apiVersion}\nkind: AdmissionReview\nresponse: {uid: ${uid}, allowed: true}\n`,
      "application/yaml",
    ),
  ),
  ...[
    "NaN",
    "Infinity",
    "1e400",
    "0x1",
    "01",
    "1.",
    "undefined",
    "'a'",
    "tRue",
    '"\\x"',
    '"\n"',
    '"\\ud800"',
    "[1,]",
  ].map((value) =>
    onEachWay(`value ${JSON.stringify(value)} of an unknown member`, responds(`"allowed":true,"a":${value}`)),
  ),
  onEachWay("a member twice, no first", responds('"allowed":false,"allowed":true')),
  onEachWay("a member twice, yes first", responds('"allowed":true,"allowed":false')),
  onEachWay("a member in two spellings", responds('"allowed":false,"ALLOWED":true')),
  onEachWay("100 levels", responds(`"allowed":true,"a":${deep(100)}`)),
  onEachWay("9,000 levels", responds(`"allowed":true,"a":${deep(9_000)}`)),
  onEachWay("20,000 levels", responds(`"allowed":true,"a":${deep(20_000)}`)),
  ...["null", "0", "1", '"true"', "{}", "[]"].map((value) =>
    onEachWay(`allowed ${value}`, responds(`"allowed":${value}`)),
  ),
  ...["0", "99", "100", "399", "400", "600", "403.5", "-1", "2147483648", "1e400"].map((code) =>
    onEachWay(`denial with code ${code}`, refuses(code)),
  ),
  ...['"403"', "null", "[]", "{}", "true"].map((code) => onEachWay(`denial with code ${code}`, refuses(code))),
  onEachWay(
    "denial with a message of lines",
    responds('"allowed":false,"status":{"message":"a\\nb\\u0000c\\u001b[31m"}'),
  ),
  onEachWay("denial with a reason of lines", responds('"allowed":false,"status":{"reason":"a\\nb"}')),
  onEachWay(
    "denial that comes back later",
    responds('"allowed":false,"status":{"code":429,"details":{"retryAfterSeconds":3}}'),
  ),
  onEachWay("denial with details of text", responds('"allowed":false,"status":{"details":"no"}')),
  onEachWay("uid in capitals", (_, { apiVersion, request: { uid } }) => ({
    json: { apiVersion, kind: "AdmissionReview", response: { uid: uid.toUpperCase(), allowed: true } },
  })),
  ...["1", "null", '" "', "[]"].map((uid) =>
    onEachWay(
      `uid ${uid}`,
      says(
        (_, { apiVersion }) =>
          `{"apiVersion":"${apiVersion}","kind":"AdmissionReview","response":{"uid":${uid},"allowed":true}}`,
      ),
    ),
  ),
  onEachWay("uid twice, the right one last", (text, review) =>
    says(() => text.replace('"uid"', '"uid":"other","uid"'))(text, review),
  ),
  onEachWay(
    "kind twice",
    says((text) => text.replace('"kind"', '"kind":"Pod","kind"')),
  ),
  ...[
    "a\\u0000b",
    "a\\u0085b",
    "a\\u200bb",
    "a\\u007fb",
    "a\\ud800b",
    "\\u4f60\\u597d",
    'a\\\\\\"b',
    "a\\tb",
    " a ",
    "%0d%0a",
  ].map((warning) => onEachWay(`warning ${warning}`, responds(`"allowed":true,"warnings":["${warning}"]`))),
  onEachWay("warnings that are null", responds('"allowed":true,"warnings":null')),
  onEachWay("warnings of null", responds('"allowed":true,"warnings":[null,"b"]')),
  onEachWay("warnings of numbers", responds('"allowed":true,"warnings":[1]')),
  onEachWay(
    "annotations of bad keys",
    responds('"allowed":true,"auditAnnotations":{"":"a","a b":"c","d/e/f":"g","h\\n":"i"}'),
  ),
  onEachWay("annotations of null", responds('"allowed":true,"auditAnnotations":{"a":null}')),
  onEachWay("annotations of a list", responds('"allowed":true,"auditAnnotations":[]')),
];

const operations = (list: readonly unknown[]): Wire =>
  responds(`"allowed":true,"patchType":"JSONPatch","patch":"${Buffer.from(JSON.stringify(list)).toString("base64")}"`);

/** Patches. */
const patches: readonly WebhookCase[] = [
  onEachWay(
    "a patch of 2,000 operations",
    operations(Array.from({ length: 2000 }, (_, i) => ({ op: "add", path: `/data/k${i}`, value: "v" }))),
  ),
  onEachWay(
    "a patch of one operation 1,000 times",
    operations(Array.from({ length: 1000 }, (_, i) => ({ op: "replace", path: "/data/a", value: `${i}` }))),
  ),
  onEachWay("a patch in base64 for addresses", responds('"allowed":true,"patchType":"JSONPatch","patch":"W10_"')),
  onEachWay("a patch in base64 without its end", responds('"allowed":true,"patchType":"JSONPatch","patch":"W1"')),
  onEachWay("a patch in base64 of lines", responds('"allowed":true,"patchType":"JSONPatch","patch":"W1\\n0="')),
  onEachWay("a patch as a list", responds('"allowed":true,"patchType":"JSONPatch","patch":[]')),
  onEachWay("a patch type in small letters", responds('"allowed":true,"patchType":"jsonpatch","patch":"W10="')),
  onEachWay("a patch type of null", responds('"allowed":true,"patchType":null,"patch":"W10="')),
  onEachWay("a patch of null", responds('"allowed":true,"patchType":"JSONPatch","patch":null')),
];

/**
 * Answers that are none here, and that v1.29 takes or refuses in other words: it knows less of HTTP, reads no number that
 * it does not need, and tells whatever its parser has stumbled over.
 */
const refused: ReadonlySet<string> = new Set(
  [
    "ends the connection in the status line",
    "ends the connection after the status line",
    "ends the connection in the head",
    "resets the connection in the body",
    "status line HTTP/1.2 200 OK",
    "status line HTTP/9.9 200 OK",
    'status line "HTTP/1.1  200 OK"',
    "status 000",
    "status 099",
    "100 before it answers",
    "101",
    "100 and no more",
    "chunks of no size",
    "chunk that is longer than it says",
    "chunks and a length",
    "chunks in HTTP/1.0",
    "transfer encoding gzip",
    "gzip that is none",
    "the length twice",
    "too small a length",
    "lines that end with a line feed alone",
    "a folded header",
    "a header with a space in its name",
    "a space before the colon",
    "a header with a null byte",
    'value "1e400" of an unknown member',
    "9,000 levels",
    "denial with code 1e400",
    "uid in capitals",
  ].map((name) => `${wirePrefix}${name}`),
);

const all: readonly WebhookCase[] = [...framing, ...documents, ...patches];

/** Answers as no program should give them, on each way on which a webhook may be asked. */
export const wireCases: readonly WebhookCase[] = all.filter(({ name }) => !refused.has(name));

/** The cases in which Gatehouse takes an answer for none, and v1.29 accepts it. */
export const refusedWireCases: readonly WebhookCase[] = all.filter(({ name }) => refused.has(name));
