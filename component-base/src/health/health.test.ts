import assert from "node:assert/strict";
import { test } from "node:test";
import { answerHealth, type HealthChecks, pingCheck } from "./answer-health.js";

const failing = {
  name: "etcd",
  check: async () => {
    throw new Error("connection refused");
  },
};
const checks: HealthChecks = {
  livez: [pingCheck, { name: "log", check() {} }],
  readyz: [pingCheck, failing, { name: "poststarthook/crd-informer-synced", check() {} }],
  healthz: [],
};

const rows: [title: string, url: string, code: number | undefined, body: string][] = [
  ["all is well", "/livez", 200, "ok"],
  ["every check is listed when verbose", "/livez?verbose", 200, "[+]ping ok\n[+]log ok\nlivez check passed\n"],
  ["verbose needs no value but may have one", "/livez?verbose=0", 200, "[+]ping ok\n[+]log ok\nlivez check passed\n"],
  [
    "a failure is always verbose and withholds the reason",
    "/readyz",
    500,
    "[+]ping ok\n[-]etcd failed: reason withheld\n[+]poststarthook/crd-informer-synced ok\nreadyz check failed\n",
  ],
  ["an excluded check is not asked", "/readyz?exclude=etcd", 200, "ok"],
  [
    "excluded checks are listed, and names that match nothing are warned about",
    "/readyz?verbose&exclude=etcd&exclude=foo&exclude=bar",
    200,
    '[+]ping ok\n[+]etcd excluded: ok\n[+]poststarthook/crd-informer-synced ok\nwarn: some health checks cannot be excluded: no matches for "bar","foo"\nreadyz check passed\n',
  ],
  ["one check can be asked alone", "/livez/log", 200, "ok"],
  ["its name may hold a slash", "/readyz/poststarthook/crd-informer-synced", 200, "ok"],
  ["one check alone tells its reason", "/readyz/etcd", 500, "internal server error: connection refused\n"],
  ["an endpoint without checks answers a ping", "/healthz?verbose", 200, "[+]ping ok\nhealthz check passed\n"],
  ["an unknown check is not found", "/livez/etcd", undefined, ""],
  ["another path is not found", "/livezz", undefined, ""],
  ["a closing slash is another path", "/livez/", undefined, ""],
];

for (const [title, url, code, body] of rows) {
  test(`health: ${title}`, async () => {
    const { pathname, searchParams } = new URL(url, "https://localhost");
    const answer = await answerHealth(checks, pathname, searchParams);
    assert.equal(answer?.code, code);
    if (answer !== undefined) {
      assert.equal(answer.body, body);
      assert.equal(answer.contentType, "text/plain; charset=utf-8");
    }
  });
}

test("health: a check that stands aside is answered under its name alone", async () => {
  const aside = { healthz: [pingCheck, { ...failing, isAside: true }], livez: [], readyz: [] };
  const whole = await answerHealth(aside, "/healthz", new URLSearchParams("verbose"));
  assert.equal(whole?.body, "[+]ping ok\nhealthz check passed\n");
  assert.equal((await answerHealth(aside, "/healthz/etcd", new URLSearchParams()))?.code, 500);
});

test("health: the log gets what the answer withholds", async () => {
  const answer = await answerHealth(checks, "/readyz", new URLSearchParams());
  assert.deepEqual(answer?.failures, [{ name: "etcd", error: new Error("connection refused") }]);
  assert.equal(answer?.nosniff, true);
});
