// Texts of members of custom kinds that have a format, drawn from the grammars of the formats, some of them with characters changed.
// COUNT is the number of objects, SEED which.

import { one, spoilt } from "../lib/grammar.mjs";
import { Random } from "../lib/random.mjs";
import { sampleDefinition } from "../lib/sample-definition.mjs";

export const parallel = 4;
const namespace = "formats";
const group = "formats.example.com";
const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const path = `/apis/${group}/v1/namespaces/${namespace}/formats`;
/** Pieces that spoil a text. */
const pieces = ["", ...":/.-_ %@,0aZ+é\n", "\u0000"];

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "6000" } = process.env;
  const post = (where, body) => ({ method: "POST", path: where, body, quiet: true });
  yield {
    name: "set up",
    steps: [post("/api/v1/namespaces", { metadata: { name: namespace } }), post(collection, definition)],
  };
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const names = Object.keys(formats);
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const name = r.pick(names);
    const drawn = r.chance(0.9) ? formats[name](r) : formats[r.pick(names)](r);
    const text = spoilt(r, drawn, pieces, 0.8);
    const body = { apiVersion: `${group}/v1`, kind: "Format", metadata: { name: "x" }, spec: { [name]: text } };
    const step = { method: "POST", path: `${path}?dryRun=All`, body, view };
    yield { name: `${SEED}-${i} ${name} ${JSON.stringify(text)}`, independent: true, steps: [step] };
  }
}

/** The problems of the object, or the text as it has been read. */
function view({ body }) {
  const { kind, message, details, spec } = JSON.parse(body.toString());
  return kind === "Status" ? { message, details } : { spec };
}

const many = (r, most, text) => Array.from({ length: r.int(most + 1) }, () => text(r)).join("");
const hex = (r) => r.pick([..."0123456789abcdefABCDEFg"]);
const digit = (r) => r.pick([..."0123456789"]);
const digits = (r, count) =>
  Array.from({ length: r.chance(0.9) ? count : count + r.pick([-1, 1]) }, () => digit(r)).join("");

const ip4 = (r) =>
  Array.from({ length: r.chance(0.9) ? 4 : r.pick([3, 5]) }, () =>
    r.pick(["0", "1", "10", "255", "256", "01", "", "127"]),
  ).join(".");
const ip6 = one(
  "::",
  "::1",
  "fe80::1",
  "1:2:3:4:5:6:7:8",
  "1:2:3:4:5:6:7",
  "::ffff:10.0.0.1",
  "fe80::1%eth0",
  "FE80::A",
  ":::",
  "12345::",
  "1::2::3",
  "2001:db8::",
);
const host = one(
  "a",
  "a.b",
  "a.example.com",
  "A.com",
  "a_b.com",
  "-a.com",
  "a-.com",
  "a..b",
  "",
  ".",
  "a.",
  ".a",
  "a".repeat(63),
  `${"a".repeat(64)}.com`,
  "é.com",
  "xn--a.com",
  "1.2",
  "localhost",
  "a b",
  "1",
  "a.1",
  `${"a.".repeat(127)}a`,
  `${"a.".repeat(128)}a`,
);
const date = (r) =>
  `${r.pick(["2020", "1999", "0000", "9999", "20", "2021"])}-${r.pick(["01", "1", "12", "13", "00", "02"])}-${r.pick(["01", "1", "28", "29", "30", "31", "32", "00"])}`;
const time = (r) =>
  `${r.pick(["00", "23", "24", "1", "12"])}:${r.pick(["00", "59", "60", "5"])}:${r.pick(["00", "59", "60", "61", "5"])}${r.pick(["", "", ".5", ".123456789", ".", ",5", ".1234567890"])}`;
const zone = one("Z", "z", "", "+00:00", "-23:59", "+24:00", "+0000", "+1:00", "+00", " Z", "UTC", "+00:60");

const formats = {
  "date-time": (r) => `${date(r)}${r.pick(["T", "t", " ", ""])}${time(r)}${zone(r)}`,
  datetime: (r) => `${date(r)}T${time(r)}${zone(r)}`,
  date,
  duration: (r) => (r.chance(0.6) ? Array.from({ length: 1 + r.int(3) }, () => `${r.pick(["1", "0", "1.5", "-1", "+2", "", "100"])}${r.pick(["h", "m", "s", "ms", "us", "µs", "ns", "d", "w", " hours", " days", "sec", "min", "", " second", "weeks", "hr", "y"])}`).join(r.pick(["", " "])) : r.pick(["0", "1h", "P1D", "1 day", "1 d", "-1h", "1h-2m", ".5h", "1.h", "5", "", "1H", "2 hours 3 minutes", "1week"])),
  ipv4: (r) => (r.chance(0.7) ? ip4(r) : ip6(r)),
  ipv6: (r) => (r.chance(0.7) ? ip6(r) : ip4(r)),
  cidr: (r) => `${r.chance(0.5) ? ip4(r) : ip6(r)}/${r.pick(["0", "8", "32", "33", "128", "129", "-1", "08", "", "a"])}`,
  mac: (r) => (r.chance(0.7) ? Array.from({ length: r.pick([6, 6, 8, 20, 5, 7]) }, () => `${hex(r)}${hex(r)}`).join(r.pick([":", "-", ".", ""])) : one("0000.5e00.5301", "0000.5e00.5301.0000", "00-00-5e-00-53-01", "00:00:5e:00:53", "0:0:0:0:0:0", "00:00:5e-00:53:01")(r)),
  hostname: host,
  email: (r) => (r.chance(0.6) ? `${r.pick(["a", "a.b", "a+b", "a..b", ".a", '"a b"', "é", "", "A <a", "a@b", '"a\\"b"', "a b", "a,b"])}@${r.pick(["b", "b.com", "[1.2.3.4]", "", "-b", "b..c", "é.com", "b>", "localhost"])}` : r.pick(["a@b.c", "A <a@b.c>", "<a@b.c>", "a@b.c, d@e.f", "a@b.c (comment)", "a", "@", "=?utf-8?q?a?= <a@b.c>", "a@b.c\n", " a@b.c ", '"a" <a@b.c>'])),
  uri: one("http://a", "http://a/b?c#d", "a", "/a", "//a", "a:b", "mailto:a@b", "", "http://", "http://a b", "http://[::1]", "http://[::1", "http://a:x", "%zz", "/a%20b", "a/b", "../a", "#a", "?a", "HTTP://A", "1:a", "a+b:c", ":a", "urn:a:b", "http://é", "http://a\n", "\u0007", "*", "http://a:80:80", "http://a%41"),
  uuid: (r) => `${many(r, 0, hex)}${[8, 4, 4, 4, 12].map((n) => Array.from({ length: r.chance(0.96) ? n : n - 1 }, () => r.pick([..."0123456789abcdef"])).join("")).join(r.pick(["-", "-", "-", "", "_"]))}`,
  uuid3: (r) => `00000000-0000-${r.pick(["3", "4", "5"])}000-${r.pick(["8", "9", "a", "b", "c", "0", "A"])}000-000000000000`,
  uuid4: (r) => `0000000a-0000-${r.pick(["3", "4", "5"])}000-${r.pick(["8", "9", "a", "b", "c", "0", "A", "B"])}00F-000000000000`,
  uuid5: (r) => `0000000a${r.pick(["-", ""])}0000-${r.pick(["3", "4", "5"])}000-${r.pick(["8", "9", "a", "b", "c", "0", "A"])}000-000000000000`,
  isbn: one("0-306-40615-2", "0306406152", "978-3-16-148410-0", "9783161484100", "9783161484101", "030640615X", "080442957X", "080442957x", "0 8044 2957 X", "978 0 306 40615 7", "123", "", "9790000000001"),
  isbn10: one("0-306-40615-2", "0306406152", "030640615X", "080442957X", "080442957x", "9783161484100", "0-306-40615-3", "0 306 40615 2"),
  isbn13: one("978-3-16-148410-0", "9783161484100", "9783161484101", "0306406152", "978 3 16 148410 0", "9790000000001", "1230000000000"),
  creditcard: (r) => (r.chance(0.5) ? r.pick(["4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "378282246310005", "5555555555554444", "6011111111111117", "4111111111111112", "1234", "30569309025904", "3530111333300000", "4222222222222", "6331101999990016", "2223003122003222"]) : digits(r, r.pick([13, 14, 15, 16]))),
  ssn: (r) => (r.chance(0.5) ? `${digits(r, 3)}${r.pick(["-", " ", ""])}${digits(r, 2)}${r.pick(["-", " ", ""])}${digits(r, 4)}` : r.pick(["123-45-6789", "123456789", "000-00-0000", "123 45 6789", "123-45-678"])),
  hexcolor: (r) => `${r.pick(["#", "#", ""])}${Array.from({ length: r.pick([3, 6, 6, 4, 8, 2]) }, () => hex(r)).join("")}`,
  rgbcolor: (r) => `rgb${r.pick(["", "", "a"])}(${Array.from({ length: r.pick([3, 3, 4, 2]) }, () => `${r.pick(["", "", " "])}${r.pick(["0", "255", "256", "1", "01", "-1", "50%", "1.5"])}`).join(r.pick([",", ",", ", "]))})`,
  byte: (r) => (r.chance(0.5) ? many(r, 8, (x) => x.pick([..."ABab01+/-_ \n"])) + r.pick(["", "=", "=="]) : r.pick(["", "YQ==", "YQ", "YWI=", "YWJj", "YQ=", "Y===", "YWJj\n", " YWJj", "YR=="])),
  password: one("a", "", "é"),
  bsonobjectid: (r) => Array.from({ length: r.chance(0.7) ? 24 : r.pick([23, 25, 0, 12]) }, () => hex(r)).join(""),
  int32: one("1", "a", ""),
  float: one("1.5", "a"),
  unknown: one("a", ""),
}; // biome-ignore format: a table

const definition = sampleDefinition(group, "formats", "Format", [
  {
    schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: Object.fromEntries(Object.keys(formats).map((format) => [format, { type: "string", format }])),
        },
      },
    },
  },
]);
