import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CollectedRoles } from "./collected-roles.js";

const everything = [{}];
const to = (...collectors: string[]) => Object.fromEntries(collectors.map((name) => [`to-${name}`, "true"]));
const collects = (name: string) => [{ matchLabels: { [`to-${name}`]: "true" } }];
const leaf = (labels: Record<string, string> = {}) => ({ labels, selectors: undefined });

describe("The roles that a cluster role collects", () => {
  test("are in the order of its selectors, and of their names for each", () => {
    const roles = new CollectedRoles();
    roles.note("c", { labels: {}, selectors: [...collects("x"), ...collects("y")] });
    roles.note("b", leaf(to("x")));
    roles.note("d", leaf(to("x", "y")));
    roles.note("a", leaf(to("y")));
    roles.note("e", leaf());
    assert.deepEqual(roles.collectedBy("c"), ["b", "d", "a"]);
    assert.deepEqual([...roles.collectorsOf("d")], ["c"]);
    assert.deepEqual([...roles.collectorsOf("e")], []);
  });

  test("follow changes of labels and selectors, and the ends of roles", () => {
    const roles = new CollectedRoles();
    roles.note("a", leaf(to("x")));
    roles.note("c", { labels: {}, selectors: collects("x") });
    roles.note("b", leaf());
    assert.deepEqual(roles.collectedBy("c"), ["a"]);
    roles.note("b", leaf(to("x")));
    assert.deepEqual(roles.collectedBy("c"), ["a", "b"]);
    roles.note("a", undefined);
    assert.deepEqual(roles.collectedBy("c"), ["b"]);
    roles.note("c", { labels: {}, selectors: collects("y") });
    assert.deepEqual(roles.collectedBy("c"), []);
    roles.note("c", leaf());
    assert.deepEqual(roles.collectedBy("c"), []);
  });

  test("are other collectors with what they hold, unless these collect it in turn", () => {
    const roles = new CollectedRoles();
    roles.note("upper", { labels: {}, selectors: collects("upper") });
    roles.note("lower", { labels: to("upper"), selectors: collects("lower") });
    roles.note("a", leaf(to("lower")));
    assert.deepEqual(roles.collectedBy("upper"), ["lower"]);
    roles.note("upper", { labels: to("lower"), selectors: collects("upper") });
    assert.deepEqual(roles.collectedBy("upper"), ["a"]);
    assert.deepEqual(roles.collectedBy("lower"), ["a"]);
    assert.deepEqual([...roles.collectorsOf("a")].sort(), ["lower", "upper"]);
    roles.note("lower", { labels: to("upper"), selectors: [] });
    assert.deepEqual(roles.collectedBy("upper"), ["lower"]);
  });

  test("are no collectors where all collect everything", () => {
    const roles = new CollectedRoles();
    for (const name of ["c1", "c2", "c3"]) {
      roles.note(name, { labels: {}, selectors: everything });
    }
    roles.note("b", leaf());
    roles.note("a", leaf());
    for (const name of ["c1", "c2", "c3"]) {
      assert.deepEqual(roles.collectedBy(name), ["a", "b"]);
    }
    assert.deepEqual([...roles.collectorsOf("a")].sort(), ["c1", "c2", "c3"]);
  });
});
