import { dirname, relative } from "node:path/posix";
import { partsOf, sections, specTests } from "./spec-tests.mjs";

/** Returns the page that lists, section by section, which rules and rows of the specification tests prove. */
export function specificationCoverage(root) {
  return coveragePage(specTests(root));
}

/** Returns the page for tests given as `{ name, file }`. */
export function coveragePage(tests) {
  const rows = tests.map(({ name, file }) => ({ ...partsOf(name), file }));
  const tables = sections
    .map((section) => [section, rows.filter((row) => row.section === section)])
    .filter(([, found]) => found.length > 0);
  return `# Rules of the specification that tests prove

The project is written to a specification of v1.29's behaviour, which is not part of this repository. This page lists
what its tests prove of it, section by section. Each row is one test against a real API server, reached over TLS: the
number of a rule, or the name of a table row; the statement that the test proves; the file of the test. A statement
without a number is about the section as a whole. \`node scripts/test.mjs test/dist/spec\` runs all of them.
${tables.map(([section, found]) => `\n## ${section}\n\n${table(found)}`).join("")}`;
}

/** Rows of one rule stand together: numbers in their order, then names in the order of the tests. */
function table(rows) {
  const number = (row) => Number(/^\d+/.exec(row)?.[0] ?? Number.MAX_SAFE_INTEGER);
  const order = [...new Set(rows.map(({ row }) => row))].sort((a, b) => number(a) - number(b));
  const lines = order.flatMap((name) => rows.filter(({ row }) => row === name)).map(line);
  return `| rule or row | proved | test |\n|---|---|---|\n${lines.join("")}`;
}

function line({ row, statement, file }) {
  const link = `[${file.slice(dirname(file).length + 1)}](${relative("docs", file)})`;
  return `| ${cell(row)} | ${cell(statement)} | ${link} |\n`;
}

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("<", "\\<");
