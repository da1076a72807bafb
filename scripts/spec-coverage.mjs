// Lists the numbered rules and table rows of the specification that no test of test/spec names. A test names one by
// beginning with the title of its section (and of the one above, if it likes), then its number or the text of its first
// column: `Endpoints, Verbs, get: ...`.
// Usage, after a build: node scripts/spec-coverage.mjs [FILE] [--all]; FILE is the specification in Markdown, and
// `--all` lists what is covered, too.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** Sections that define words and demand nothing. */
const definingSections = ["Terminology"];

/** Rules and rows that no test of test/spec can name, by the reason. */
const exempt = [
  // Parts that are not there yet: expressions, flow control, an etcd store, connections to nodes.
  /^Authentication, 7$/,
  /^Limits, (Expression|--(max-|enable-priority|goaway|kubelet|etcd-healthcheck))/,
  /^Verbs, proxy$/,
  // Not to be seen from outside: v1 registers no hook with side effects, and buckets refill while 4,096 others are made.
  /^Errors, 4$/,
  /^Limits, Event rate/,
  // Policies for those who make releases.
  /^Versioning, (4a|4b|5a|5b|5c|6|8)$/,
];

/** The rules and rows of a section: `{ section, key }`, the key being a number or the text of the first column. */
export function rulesOf(spec) {
  const rules = [];
  let section = "";
  let isHeader = true;
  for (const line of spec.split("\n")) {
    const title = /^#{2,3} (.+)$/.exec(line);
    const number = /^(\d+)\. /.exec(line);
    const row = /^\| *(.+?) *\|/.exec(line);
    if (title !== null) {
      section = title[1].replace(/ \([^)]*\)/g, "");
    } else if (number !== null) {
      rules.push({ section, key: number[1], isNumber: true });
    } else if (row !== null && /^-+$/.test(row[1])) {
      isHeader = false;
    } else if (row !== null && !isHeader) {
      rules.push({ section, key: plain(row[1]), isNumber: section === "Versioning" });
    }
    isHeader ||= row === null;
  }
  const isExempt = ({ section, key }) =>
    definingSections.includes(section) || exempt.some((pattern) => pattern.test(`${section}, ${key}`));
  return rules.filter((rule) => !isExempt(rule));
}

/** The text of a cell, with the names that this project has for the placeholders. */
function plain(cell) {
  return cell.replaceAll("`", "").replaceAll("<brand>", "kubernetes").replaceAll("<meta_group>", "meta.k8s.io");
}

/** Reports whether the name of a test names the rule. */
export function names(test, { section, key, isNumber }) {
  const at = test.startsWith(section) ? 0 : test.indexOf(`, ${section}`);
  if (at < 0) {
    return false;
  }
  const rest = test.slice(test.indexOf(section, at) + section.length).toLowerCase();
  if (isNumber) {
    const numbers = /^,? (?:deprecation )?(?:rule )?(\d+[a-z]?(?:(?:, | and )\d+)*)\b/.exec(rest)?.[1] ?? "";
    return numbers.split(/, | and /).includes(key);
  }
  return key
    .toLowerCase()
    .split(/, | \/ /)
    .some((part) => rest.includes(part));
}

function testNames() {
  const suite = fileURLToPath(new URL("../test/dist/spec/spec.test.js", import.meta.url));
  const { stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", suite], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return [...stdout.matchAll(/^ *# Subtest: (.+)$/gm)].map((match) => match[1].replaceAll("\\#", "#"));
}

function main() {
  const { values, positionals } = parseArgs({ options: { all: { type: "boolean" } }, allowPositionals: true });
  const rules = rulesOf(readFileSync(positionals[0] ?? "../shared/SPEC.md", "utf8"));
  const tests = testNames();
  const covered = rules.map((rule) => tests.filter((test) => names(test, rule)).length);
  rules.forEach(({ section, key }, index) => {
    if (covered[index] === 0 || values.all) {
      console.log(`${covered[index] === 0 ? "no test" : `${covered[index]} test(s)`}: ${section}, ${key}`);
    }
  });
  const missing = covered.filter((count) => count === 0).length;
  console.log(`${rules.length - missing} of ${rules.length} rules and rows have a test`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main();
}
