import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { builtinApi } from "../discovery/builtin-api.test.support.js";
import { OpenApiSource } from "./openapi-source.js";
import { createPace } from "./pace.js";

suite("work in slices", () => {
  test("work goes on at once until its slice is over", async () => {
    let now = 0;
    const pace = createPace(() => now);
    assert.equal(pace(), undefined);
    now = 7;
    assert.equal(pace(), undefined);
    now = 8;
    const turn = pace();
    assert.ok(turn instanceof Promise);
    await turn;
    assert.equal(pace(), undefined);
  });

  test("however many wait, one goes on in each turn of the event loop", async () => {
    let now = 0;
    const pace = createPace(() => now);
    const log: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let step = 0; step < 2; step++) {
        now += 10;
        await pace();
        log.push(name);
      }
    };
    let working = true;
    const turns = (): void => {
      if (working) {
        log.push("|");
        setImmediate(turns);
      }
    };
    setImmediate(turns);
    await Promise.all([work("a"), work("b"), work("c")]);
    working = false;
    assert.match(log.join(""), /^\|?a\|b\|c\|a\|b\|c\|?$/);
  });

  test("the largest documents leave the event loop free in between, also when many are wanted at once", async () => {
    const source = new OpenApiSource();
    const documents = source.documentsOf(builtinApi());
    // What is loaded once is not what is looked at here.
    await documents.openapi3.get("api")?.json();
    let working = true;
    let turns = 0;
    const count = (): void => {
      turns++;
      if (working) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    const before = process.cpuUsage();
    await Promise.all([
      documents.swagger.json(),
      ...[...documents.openapi3.values()].map((document) => document.json()),
    ]);
    working = false;
    const usedMs = process.cpuUsage(before).user / 1000;
    // 50 ms a turn would be too long; slices are of 8 ms.
    assert.ok(turns > usedMs / 50, `${turns} turns in ${usedMs} ms`);
  });
});
