import { spawnSync } from "node:child_process";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Sections of the specification that tests name, in its order. The name of a test of test/src/spec begins with the section
 * (after the part of the specification, where there is one), then a rule's number or a row's first column, then a colon:
 * `Endpoints, Verbs, get: one object`.
 */
export const sections = [
  ...["What the service does", "Terminology", "Object identity rules", "Common object envelope"],
  ...["Resource version rules", "JSON as it is written", "Collection envelope", "Watch event envelope"],
  ...["Table representation", "Protobuf envelope", "Managed-field entry", "Admission review", "Audit configuration"],
  ...["Image review", "Exec credential exchange", "Event rate limit configuration", "Admission plugin configuration"],
  ...["States and transitions", "Path shapes", "Verbs", "Query parameters", "Request and response headers"],
  ...["Media types", "Patch semantics", "Server-side apply rules", "Resource version semantics"],
  ...["Chunked listing procedure", "Watch procedure", "Dry-run", "Authentication", "Watch events", "Audit events"],
  ...["Stored cluster events", "Errors", "Limits", "HTTP/2", "Versioning"],
];

/** Parts of the specification that several sections belong to. */
const parts = /^(?:Resources and their fields|Endpoints), /;

/** Names and files of all tests of test/src/spec, in the order of their declaration. Needs a build; runs no test. */
export function specTests(root) {
  const preload = fileURLToPath(new URL("record-test-names.mjs", import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", preload, join(root, "test/dist/spec/spec.test.js")],
    { encoding: "utf8", maxBuffer: 2 ** 24, timeout: 60_000 },
  );
  if (status !== 0) {
    throw new Error(`the tests of test/dist/spec could not be listed; has everything been built?\n${stderr}`);
  }
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ name, file }) => ({ name, file: sourceOf(relative(root, file)) }));
}

const sourceOf = (file) => file.split(sep).join("/").replace("/dist/", "/src/").replace(/\.js$/, ".ts");

/**
 * Splits the name of a test into `{ section, row, statement }`; `row` is empty when a test proves something of the section
 * as a whole. Throws for a name that begins with no section.
 */
export function partsOf(name) {
  const rest = name.replace(parts, "");
  const section = sections.find((title) => rest.startsWith(`${title}:`) || rest.startsWith(`${title},`));
  const colon = rest.indexOf(": ");
  if (section === undefined || colon < 0) {
    throw new Error(
      `the name of a test must be "SECTION, ROW: statement" with a section of ${import.meta.url}: ${name}`,
    );
  }
  const row = rest.slice(section.length, colon).replace(/^, (?:rule (?=\d))?/, "");
  return { section, row, statement: rest.slice(colon + 2) };
}
