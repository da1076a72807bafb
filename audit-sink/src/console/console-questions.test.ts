import assert from "node:assert/strict";
import { test } from "node:test";
import { pageModule } from "./page-modules.test.support.js";

const { parseView, formatView } = await pageModule<typeof import("../../console/src/address/view.js")>("address/view");
const { parseFilter } =
  await pageModule<typeof import("../../console/src/filters/filter-text.js")>("filters/filter-text");
const { suggest } = await pageModule<typeof import("../../console/src/filters/suggest.js")>("filters/suggest");
const { questionOf, foldedQuestionOf } =
  await pageModule<typeof import("../../console/src/sink/question.js")>("sink/question");
const { shortUser } = await pageModule<typeof import("../../console/src/events/names.js")>("events/names");
const { visibleText } = await pageModule<typeof import("../../console/src/page/visible-text.js")>("page/visible-text");
const { ticks } = await pageModule<typeof import("../../console/src/time/ticks.js")>("time/ticks");
const { TimeFormat } = await pageModule<typeof import("../../console/src/time/time-format.js")>("time/time-format");

const addresses = [
  "#user=alice&user=bob&verb=%21watch&last=7d&event=5",
  "#from=2026-01-01T00%3A00%3A00Z&to=2026-01-02T00%3A00%3A00Z&system=shown&split=verb&tz=utc",
  "#colour=red",
  "#",
];
for (const address of addresses) {
  test(`an address says the same after it was read and written: ${address}`, () => {
    assert.equal(formatView(parseView(address)), address);
  });
}

test("conditions are read as people type them", () => {
  assert.deepEqual(parseFilter("user:alice"), { field: "user", value: "alice" });
  assert.deepEqual(parseFilter(" ns = shop "), { field: "namespace", value: "shop" });
  assert.deepEqual(parseFilter("verb!=watch"), { field: "verb", value: "!watch" });
  assert.deepEqual(parseFilter("-Status:5*"), { field: "code", value: "!5*" });
  assert.deepEqual(parseFilter("user:system:node:a"), { field: "user", value: "system:node:a" });
  assert.equal(parseFilter("alice"), undefined);
  assert.equal(parseFilter("colour:red"), undefined);
});

test("suggestions complete fields and values, and a bare word is looked for in all fields", async () => {
  const rank = async (field: string, prefix: string) =>
    [{ value: "alice", count: 3 }].filter(({ value }) => field === "user" && value.startsWith(prefix));
  const labels = async (text: string) => (await suggest(text, rank)).map(({ label }) => label);
  assert.equal((await labels(""))[0], "user:");
  assert.deepEqual(await labels("user:al"), ["user: al", "user: alice"]);
  assert.deepEqual(await labels("user!=al"), ["user is not al", "user is not alice"]);
  assert.deepEqual(await labels("ali"), ["user: alice", "name: ali", "user: ali"]);
  assert.equal((await labels("403"))[0], "code: 403");
  assert.deepEqual((await labels("del")).slice(0, 2), ["verb: delete", "verb: deletecollection"]);
});

test("system accounts are folded unless users are asked for by name, and anonymous users never are", () => {
  const isFolded = (fragment: string): boolean => foldedQuestionOf(parseView(fragment)) !== undefined;
  assert.deepEqual(["", "user=!bob", "user=bob", "system=shown"].map(isFolded), [true, true, false, false]);
  const left = questionOf(parseView("")).getAll("user");
  assert.ok(left.includes("!system:node:*"));
  assert.ok(!left.some((pattern) => "system:anonymous".startsWith(pattern.slice(1).replace("*", ""))));
  assert.deepEqual(questionOf(parseView("stage=*")).getAll("stage"), ["*"]);
});

test("user names are short, and unseen characters are written out", () => {
  assert.equal(shortUser("system:serviceaccount:kube-system:bootstrap-roles"), "sa kube-system/bootstrap-roles");
  assert.equal(shortUser("system:node:worker-1"), "node worker-1");
  assert.equal(shortUser("system:anonymous"), "system:anonymous");
  assert.equal(visibleText("ad\u202emin\u200b"), "ad\\u{202e}min\\u{200b}");
});

const end = "2026-11-23T05:29:00Z";
const axes: readonly [string, string, string, number, string][] = [
  ["7 days", "2026-11-16T05:29:00Z", end, 12, "Nov 17, Nov 18, Nov 19, Nov 20, Nov 21, Nov 22, Nov 23"],
  ["30 days", "2026-10-24T05:29:00Z", end, 6, "Oct 26, Nov 2, Nov 9, Nov 16, Nov 23"],
  ["a day", "2026-11-22T05:29:00Z", end, 8, "06:00, 09:00, 12:00, 15:00, 18:00, 21:00, Nov 23, 03:00"],
  ["an hour", "2026-11-23T04:29:00Z", end, 6, "04:30, 04:40, 04:50, 05:00, 05:10, 05:20"],
  ["20 seconds", "2026-11-23T05:28:40Z", end, 4, "05:28:40, 05:28:45, 05:28:50, 05:28:55, 05:29:00"],
];
for (const [name, from, to, most, labels] of axes) {
  test(`the ticks of ${name} are round times`, () => {
    const found = ticks(Date.parse(from), Date.parse(to), most, new TimeFormat(true));
    assert.equal(found.map(({ label }) => label).join(", "), labels);
  });
}
