// Requests of HTTP/1.1 drawn byte by byte: request lines, fields, lengths, chunks and line ends, right and wrong, one or several on a
// connection. Compared are the statuses of all answers and the text of the first. COUNT is the number of connections, SEED which.
// Lines without CR, a length beside chunks and broken chunks of bodies that nobody reads are refused here (decisions/0081).

import { one, spoilt } from "../lib/grammar.mjs";
import { Random } from "../lib/random.mjs";

export const parallel = 24;
/** Pieces that spoil a text. */
const pieces = ["", ..." :\t,;\r\n\0/%a0", "\r\n", "\x7f", "\x80"];

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "2000" } = process.env;
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const requests = Array.from({ length: r.chance(0.7) ? 1 : 1 + r.int(3) }, () => request(r));
    // A connection that stays open costs the runner two seconds.
    const text = spoilt(r, requests.join("") + (r.chance(0.85) ? ending : ""), pieces, 0.8);
    yield {
      name: `${SEED}-${i} ${JSON.stringify(text)}`,
      independent: true,
      steps: [{ via: "raw", method: "raw", text, view }],
    };
  }
}

const ending = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

/** The statuses of all answers, and the text of the first. */
function view({ status, body, headers }) {
  const text = body.toString("latin1");
  const later = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map((match) => Number(match[1]));
  const first = text
    .split(/HTTP\/1\.[01] \d{3}/)[0]
    .replaceAll("\r", "")
    .replace(/^[0-9a-f]+\n/, "");
  const shown = status === 200 || status === 201 ? undefined : first.trim();
  return { statuses: [status, ...later], shown, connection: headers["connection"] };
}

const methods = one(
  ..."GET GET GET POST POST PUT HEAD OPTIONS DELETE PATCH get PRI TRACE FOO G-T G@T".split(" "),
  "",
  "GE T",
  "\tGET",
);
const targets = one(
  ..."/version /version /livez /api/v1/namespaces/default /healthz?x=1 //version /version#f * http://a/version https://b/livez".split(
    " ",
  ),
  ..."version /a%20b /%2e%2e/livez /../livez /./livez /livez/ /é ? / /livez?%zz /livez?a;b http:// a:443 /livez%00 /livez%2F".split(
    " ",
  ),
  ...'/api/v1/namespaces?limit=1 /apis /nothing http://a:b/livez http://[::1]/livez /livez?"<>'.split(" "),
  ...["", "/a b", "/livez\t", "/\x7f", "/livez\0"],
);
const versions = one(
  ..."HTTP/1.1 HTTP/1.1 HTTP/1.1 HTTP/1.1 HTTP/1.1 HTTP/1.0 HTTP/2.0 HTTP/1.2 HTTP/0.9 http/1.1 HTTP/1.10 HTTP/01.1 HTTP/1 HTTP/ HTTP/3.0 H/1.1".split(
    " ",
  ),
  "",
  "HTTP/1.1 ",
);

function request(r) {
  const isPlain = r.chance(0.6);
  const line = isPlain
    ? `${r.pick(["GET", "POST", "PUT"])} /livez HTTP/1.1`
    : `${methods(r)} ${targets(r)} ${versions(r)}`;
  const end = r.chance(0.93) ? "\r\n" : r.pick(["\n", "\n", "\r", "\n\r"]);
  const fields = [...(r.chance(0.94) ? ["Host: a"] : hosts(r)), ...r.some(others, 0.06)];
  const [length, body] = r.chance(0.6) ? bodies(r) : [[], ""];
  fields.push(...length);
  return `${line}${end}${(r.chance(0.2) ? fields.reverse() : fields).map((field) => `${field}${end}`).join("")}${end}${body}`;
}

const hosts = (r) =>
  r.pick([
    [],
    ["Host:"],
    ["Host: a", "Host: a"],
    ["Host: a", "host: b"],
    ["Host: a b"],
    ["Host: a/b"],
    ["Host: [::1]:1"],
    ["Host: é"],
  ]);

const others = [
  "Connection: close",
  "Connection: keep-alive",
  "Connection: Upgrade",
  "connection: CLOSE, x",
  "Upgrade: h2c",
  "Expect: 100-continue",
  "Expect: 200-ok",
  "expect: 100-Continue",
  "A : b",
  "A\t: b",
  ": b",
  "A",
  " A: b",
  "A: b\r\n c",
  "A: b\n\tc",
  "A:\0",
  "A: \x01",
  "A: \x7f",
  "A: \x80é",
  "é: x",
  "A(): x",
  "A_B: x",
  "A:",
  "A:b",
  "A: b ",
  "A:\tb\t",
  `A: ${"x".repeat(2000)}`,
  "Trailer: A",
  "Trailer: Content-Length",
  "TE: trailers",
  "Accept: application/yaml",
  "Accept-Encoding: gzip",
  "Cookie: a=b; c=d",
  "Cookie:",
];

const lengths = one(
  ..."0 1 5 5 5 +5 -1 5,5 5,6 0x5 00005 5.0 5e0 99999999999999999999 9223372036854775807 1_0 a".split(" "),
  ...["", " 5 ", "5 5", "\t5", "5, 5", "5\0"],
);
const codings = one(
  ..."chunked chunked chunked Chunked CHUNKED identity gzip chunked,chunked gzip,chunked chunked,gzip ,chunked chunked, chunked;a=b xchunked".split(
    " ",
  ),
  ...["", " chunked ", "chunked\t", "\tchunked", '"chunked"', "identity, chunked"],
);
const chunkSizes = one(
  ...'5 5 5 05 5;a=b 5;a="b" 5; 0x5 +5 -5 5g A fffffffffffffffff 10000000000000000 7fffffffffffffff'.split(" "),
  " 5",
  "5 ",
  "5\t",
  "",
);

function bodies(r) {
  const kind = r.int(8);
  if (kind < 4) {
    const length = lengths(r);
    return [
      [`Content-Length: ${length}`, ...(r.chance(0.08) ? [`Content-Length: ${lengths(r)}`] : [])],
      r.chance(0.9) ? "hello".slice(0, Number.parseInt(length, 10) || 0) : "hello",
    ];
  }
  const fields = [`Transfer-Encoding: ${codings(r)}`];
  if (r.chance(0.1)) fields.push(`Transfer-Encoding: ${codings(r)}`);
  if (r.chance(0.15)) fields.push(`Content-Length: ${lengths(r)}`);
  const end = r.chance(0.92) ? "\r\n" : r.pick(["\n", "", "\r", "\r\n\r\n"]);
  const chunks = Array.from({ length: r.int(3) }, () => `${chunkSizes(r)}${end}hello${end}`).join("");
  const trailers = r.chance(0.15)
    ? r.pick(["A: b\r\n", "A\r\n", "Content-Length: 5\r\n", " A: b\r\n", "Host: b\r\n", ": \r\n"])
    : "";
  return [
    fields,
    `${chunks}${r.pick(["0", "0", "0", "00", "0;a", "0 ", ""])}\r\n${trailers}${r.chance(0.95) ? "\r\n" : "\n"}`,
  ];
}
