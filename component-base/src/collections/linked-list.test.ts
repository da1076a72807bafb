import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkedList, ListElement } from "./linked-list.js";

class Named extends ListElement<Named> {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }
}

const names = (list: LinkedList<Named>): string => Array.from(list, ({ name }) => name).join("");

test("a list has its elements in the order in which they were added, whichever are taken out", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => new Named(name)) as [Named, Named, Named, Named];
  const list = new LinkedList<Named>();
  assert.deepEqual([list.size, list.first, names(list)], [0, undefined, ""]);
  for (const element of [a, b, c, d]) {
    list.add(element);
  }
  assert.deepEqual([list.size, list.first, names(list)], [4, a, "abcd"]);
  assert.equal(list.delete(b), true);
  assert.equal(names(list), "acd");
  assert.equal(list.delete(a), true);
  assert.equal(list.delete(d), true);
  assert.deepEqual([list.size, list.first, names(list)], [1, c, "c"]);
  assert.equal(list.delete(c), true);
  assert.deepEqual([list.size, list.first, names(list)], [0, undefined, ""]);
  list.add(b);
  assert.deepEqual([list.size, names(list)], [1, "b"]);
});

test("an element that is in no list, or in another one, is not taken out", () => {
  const [a, b] = ["a", "b"].map((name) => new Named(name)) as [Named, Named];
  const one = new LinkedList<Named>();
  const other = new LinkedList<Named>();
  one.add(a);
  assert.deepEqual([one.has(a), other.has(a), one.has(b)], [true, false, false]);
  assert.deepEqual([other.delete(a), one.delete(b), one.delete(a), one.delete(a)], [false, false, true, false]);
});

test("an element that was taken out holds none of the others", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => new Named(name)) as [Named, Named, Named];
  const list = new LinkedList<Named>();
  for (const element of [a, b, c]) {
    list.add(element);
  }
  list.delete(b);
  assert.deepEqual([b.list, b.previous, b.next], [undefined, undefined, undefined]);
});

test("an element goes to the end; the last one stays there", () => {
  const list = new LinkedList<Named>();
  const [a, b] = ["a", "b"].map((name) => new Named(name)) as [Named, Named];
  list.add(a);
  list.add(b);
  list.moveToEnd(b);
  assert.equal(names(list), "ab");
  list.moveToEnd(a);
  assert.equal(names(list), "ba");
});

test("elements may be taken out while the list is gone through", () => {
  const list = new LinkedList<Named>();
  for (const name of "abcde") {
    list.add(new Named(name));
  }
  let seen = "";
  for (const element of list) {
    seen += element.name;
    list.delete(element);
  }
  assert.deepEqual([seen, list.size], ["abcde", 0]);
});
