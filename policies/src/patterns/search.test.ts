import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import type { RE2JS as Engine } from "re2js";
import { compilePattern } from "./compile-pattern.js";
import { programOf } from "./program.js";
import { Search } from "./search.js";

const { RE2JS } = createRequire(import.meta.url)("re2js") as { readonly RE2JS: typeof Engine };

/** Numbers of a fixed sequence, so that a failure can be repeated. */
function sequence(): (below: number) => number {
  let state = 12345;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 16) % below;
  };
}

const atoms = [
  "a",
  "b",
  "[ab]",
  "[^a]",
  ".",
  "\\b",
  "\\B",
  "^",
  "$",
  "(?i)A",
  "(?s).",
  "(?m)^",
  "(?m)$",
  "\\pL",
  "😀",
  "[a-z😀]",
  "ab",
];
const repeats = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?"];

function patternFrom(next: (below: number) => number, depth: number): string {
  const parts = Array.from({ length: 1 + next(3) }, () => {
    const atom =
      depth > 0 && next(3) === 0
        ? `(${"?:".repeat(next(2))}${patternFrom(next, depth - 1)}|${patternFrom(next, depth - 1)})`
        : (atoms[next(atoms.length)] as string);
    return `(?:${atom})${repeats[next(repeats.length)]}`;
  });
  return parts.join("");
}

function textFrom(next: (below: number) => number): string {
  const letters = ["a", "b", "A", "\n", " ", "é", "😀", "\ud83d", "K"];
  return Array.from({ length: next(12) }, () => letters[next(letters.length)]).join("");
}

/** Returns the start and end of each match, as the engine's own matcher finds them. */
function matchesOf(pattern: Engine, text: string): [number, number][] {
  const matcher = pattern.matcher(text);
  const found: [number, number][] = [];
  while (matcher.find()) {
    found.push([matcher.start(), matcher.end()]);
  }
  return found;
}

function searched(search: Search, text: string): [number, number][] {
  const found: [number, number][] = [];
  for (let from = 0; from <= text.length; ) {
    const start = search.find(text, from);
    if (start === -1) {
      break;
    }
    found.push([start, search.end]);
    from = start === search.end ? start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1) : search.end;
  }
  return found;
}

describe("A search for a pattern", () => {
  it("finds the same matches as the engine, for 3,000 generated patterns", () => {
    const next = sequence();
    let matched = 0;
    for (let index = 0; index < 3000; index++) {
      const source = patternFrom(next, 2);
      const pattern = RE2JS.compile(source);
      const search = new Search(programOf(pattern));
      for (const text of [textFrom(next), textFrom(next), textFrom(next)]) {
        const expected = matchesOf(pattern, text);
        assert.deepEqual(searched(search, text), expected, `${source} in ${JSON.stringify(text)}`);
        assert.equal(search.test(text), expected.length > 0, `${source} in ${JSON.stringify(text)}`);
        matched += expected.length > 0 ? 1 : 0;
      }
    }
    assert.ok(matched > 3000 && matched < 8900, `${matched} of 9000 texts match`);
  });

  it("visits each instruction at most twice for each character", () => {
    const next = sequence();
    for (const source of hardPatterns) {
      const pattern = RE2JS.compile(source);
      const search = new Search(programOf(pattern));
      const text = Array.from({ length: 300 }, () => "ab"[next(2)]).join("");
      assert.equal(search.test(text), false, source);
      const most = 2 * pattern.programSize() * (text.length + 1);
      assert.ok(search.visits > 0 && search.visits <= most, `${source}: ${search.visits} of ${most}`);
    }
  });
});

/** Patterns whose automaton needs about one state for each character of a text. */
const hardPatterns = [
  "^([ab]?){900}[ab]{900}[^ab]",
  "[ab]*a[ab]{200}[^ab]",
  "[ab]*a[ab]{12}[^ab]",
  "(?:.*a){900}[^ab]",
  "(?i)k{0,900}k{0,900}[!-&]",
];

describe("A pattern whose automaton needs many states", () => {
  it("builds only as many of them as its texts pay for, and matches all the same", () => {
    const next = sequence();
    for (const source of hardPatterns) {
      const pattern = compilePattern(source);
      const built = countBuilding(() => {
        for (let round = 0; round < 20; round++) {
          const text = Array.from({ length: 100 }, () => "ab"[next(2)]).join("");
          assert.equal(pattern.matches(text), false, source);
          assert.equal(pattern.matches(`${text.replaceAll("b", "a").repeat(4)}c`), source.includes("[ab]*a"), source);
        }
      });
      const steps = 20 * 500 * pattern.size;
      assert.ok(built > 0 && built <= 40_000 + steps / 100, `${source}: ${built} instructions for ${steps} steps`);
    }
  });

  it("makes no automaton of classes that would take long to be sorted", () => {
    const pattern = compilePattern("^(\\pL?){900}[!-&]");
    const built = countBuilding(() => assert.equal(pattern.matches("é".repeat(300)), false));
    assert.equal(built, 0);
  });
});

/** Returns the number of instructions in the states of automata that are built meanwhile. */
function countBuilding(run: () => void): number {
  const automata = Object.getPrototypeOf(RE2JS.compile("x[ab]").re2().dfa) as {
    closure(instructions: unknown, flag: number): { readonly pcs: readonly number[] };
  };
  const { closure } = automata;
  let built = 0;
  automata.closure = function (instructions, flag) {
    const closed = closure.call(this, instructions, flag);
    built += closed.pcs.length;
    return closed;
  };
  try {
    run();
  } finally {
    automata.closure = closure;
  }
  return built;
}
