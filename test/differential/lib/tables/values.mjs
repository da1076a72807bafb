// Values that are drawn for members which tables show: texts with odd characters, times, conditions and such.

/** Returns members with that probability, no members otherwise. */
export const maybe = (r, probability, members) => (r.chance(probability) ? members(r) : {});

/** Returns a list of up to `most` values. */
export const several = (r, most, value) => Array.from({ length: r.int(most + 1) }, (_, i) => value(r, i));

const oddTexts = [
  ...["a\nb", "\n a \t", "\u001b[31mred\u001b[0m", "\r\n", "é", "日本", "😀😀", "\u2028x", "\u0085x\u0085", "\ufeffx\ufeff"],
  ...["\u00a0x\u3000", "\u180ex\u200b", "x".repeat(300), "<none>", "a,b", "%s%d%", '"q"', "\\n", "ÀÉ", "İI", "ΑΣ", "ẞ", "null", "0"],
]; // biome-ignore format: a list of texts

/** Texts for members that may hold any text. */
export const anyText = (r) => r.pick(r.chance(0.5) ? ["", "plain", "With Space", "x-y.z"] : oddTexts);

/** Texts for members that may hold any text but an empty one. */
export const someText = (r) => anyText(r) || "text";

/** Names in one word, as reasons and types of conditions are. */
export const word = (r) => r.pick(["Ready", "Completed", "Error", "OOMKilled", "CrashLoopBackOff", "X", "NodeLost"]);

/** Times that both servers show alike: more than minutes ago, years ahead, or none. */
export const time = (r) =>
  r.chance(0.2) ? before(new Date().toISOString(), Math.max(lapse(r), 600)) : r.pick([
    ...["1999-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2020-02-29T12:00:00+05:30", "2023-06-01T00:00:00Z"],
    ...["1700-01-01T00:00:00Z", "1900-07-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:01Z", "9999-12-31T23:59:59Z"],
    ...["2120-01-01T00:00:00Z", "2400-01-01T00:00:00Z", "1969-12-31T23:59:59Z", null],
  ]); // biome-ignore format: a list of times

/** Numbers of seconds of all sizes, from one to some years. */
const lapse = (r) => Math.floor(10 ** (r.next() * 8.6));

const before = (time, seconds) => `${new Date(Date.parse(time) - 1000 * seconds).toISOString().slice(0, 19)}Z`;

/** Pairs of a time and a later one; now and then the later one is earlier. */
export function timeSpan(r) {
  const end = "2024-05-06T07:08:09Z";
  return { start: before(end, lapse(r) * r.pick([1, 1, 1, -1]) - 1), end };
}

/** Times of members that v1.29 holds as pointers: one that is zero is there, and shown as `null` (decision 0032). */
export const pointerTime = (r) => r.pick([time(r), null].filter((drawn) => drawn !== zeroTime));

const zeroTime = "0001-01-01T00:00:00Z";

/** Times with microseconds, years ago or ahead, or none. */
export const microTime = (r) =>
  r.chance(0.7)
    ? r.pick(["2019-01-01T00:00:00.000001Z", "1960-01-01T00:00:00.999999Z", "2121-01-01T00:00:00.500000Z"])
    : (pointerTime(r)?.replace(/Z|\+05:30$/, (zone) => `.000000${zone}`) ?? null);

/** Amounts of resources in several spellings. */
export const amount = (r) =>
  r.pick(["0", "1", "1500m", "0.5", "1Gi", "1024Mi", "1000k", "1e3", "12345678901", "100n", "1.5Gi", 5, "3Ti", "1E", ".5", "+1"]); // biome-ignore format: a list of amounts

const labelKeys = ["app", "tier", "example.com/role", "a.b", "zz", "A"];

/** Labels of up to four keys. */
export const labels = (r) =>
  Object.fromEntries(r.some(labelKeys, 0.4).map((key) => [key, r.pick(["", "web", "Db", "1", "a_b"])]));

/** A label selector with labels and expressions. */
export function selector(r) {
  return r.pick([
    () => ({}),
    () => ({ matchLabels: labels(r) }),
    () => ({ matchExpressions: expressions(r) }),
    () => ({ matchLabels: labels(r), matchExpressions: expressions(r) }),
  ])();
}

function expressions(r) {
  return several(r, 4, () => ({
    key: r.pick(labelKeys),
    ...r.pick([
      () => ({ operator: "Exists" }),
      () => ({ operator: "DoesNotExist" }),
      () => ({
        operator: r.pick(["In", "NotIn"]),
        values: ["b", "a", "", "B", "a", "10", "9"].slice(r.int(4), 5 + r.int(3)),
      }),
    ])(),
  }));
}

/** Conditions of the kinds that have them in the form of core/v1, now and then two of one type. */
export const conditions = (r, types) =>
  several(r, 4, () => ({
    type: r.pick(types),
    status: r.pick(["True", "False", "Unknown"]),
    ...maybe(r, 0.5, () => ({ reason: r.pick([word(r), ""]) })),
    ...maybe(r, 0.3, () => ({ message: anyText(r) })),
  }));

/** Whole numbers of 32 bits. */
export const count = (r) => r.pick([0, 1, 1, 2, 3, 10, 100, 2147483647]);
