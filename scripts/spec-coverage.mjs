// Lists the numbered rules and table rows of a specification that no test of test/src/spec names, for those who change the
// specification. docs/specification-coverage.md lists what the tests prove.
// Usage, after a build: node scripts/spec-coverage.mjs FILE [--all]; FILE is the specification in Markdown, and `--all`
// lists what is covered, too.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { specTests } from "./reference/spec-tests.mjs";

/** Sections that define words and demand nothing. */
const definingSections = ["Terminology"];

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
  return rules.filter((rule) => !definingSections.includes(rule.section));
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

function main() {
  const { values, positionals } = parseArgs({ options: { all: { type: "boolean" } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined) {
    console.error("usage: node scripts/spec-coverage.mjs FILE [--all]");
    process.exitCode = 1;
    return;
  }
  const rules = rulesOf(readFileSync(file, "utf8"));
  const tests = specTests(fileURLToPath(new URL("..", import.meta.url)));
  const covered = rules.map((rule) => tests.filter(({ name }) => names(name, rule)).length);
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
