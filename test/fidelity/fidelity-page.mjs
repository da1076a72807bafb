import { moduleName } from "./suites.mjs";

/**
 * Writes the page of the results: a row for each suite, and the specs that pass with kube-apiserver alone. What `before`, the
 * page so far, says of suites without a result is kept.
 */
export function fidelityPage(modules, results, before) {
  const suites = modules.flatMap((module) =>
    module.packages.map((name) => ({
      title: [`${moduleName(module.path)} ${module.version}`, name],
      place: `- ${module.path} ${module.version}, ${name}: `,
      result: results.find((result) => result.module === module && result.name === name),
    })),
  );
  const rows = suites.flatMap(({ title, result }) =>
    result === undefined ? rowsOf(before, title) : [[...title, ...cellsOf(result)]],
  );
  const missing = suites.flatMap(({ place, result }) =>
    result === undefined
      ? before.split("\n").filter((line) => line.startsWith(place))
      : result.missing.map((spec) => `${place}${spec}`),
  );
  return `# Fidelity

Public test suites that start kube-apiserver and etcd themselves, run with the programs of \`gatehouse envtest install\` and
with kube-apiserver v1.29.0 and etcd. \`test/fidelity/run.mjs\` writes this page.

${table(["module", "suite", "specs passed", "with kube-apiserver", "seconds"], rows)}

## Specs that pass with kube-apiserver alone

${missing.length === 0 ? "None." : missing.join("\n")}
`;
}

/** Returns the row that a page has of a suite; none if it has none. */
function rowsOf(page, title) {
  return page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => title.every((text, column) => cells[column] === text));
}

function cellsOf({ pair, peer, ms }) {
  return [String(pair), String(peer), ms.map((time) => (time / 1000).toFixed(1)).join(" / ")];
}

function table(head, rows) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
