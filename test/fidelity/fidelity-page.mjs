/**
 * Writes the page of the results: a row for each suite, and the specs that pass with kube-apiserver alone.
 */
export function fidelityPage(results) {
  const rows = results.map(({ module, name, pair, peer, ms }) => [
    `${module.path.split("/").at(-1)} ${module.version}`,
    name,
    String(pair),
    String(peer),
    ms.map((time) => (time / 1000).toFixed(1)).join(" / "),
  ]);
  const missing = results.flatMap(({ module, name, missing }) =>
    missing.map((spec) => `- ${module.path} ${module.version}, ${name}: ${spec}`),
  );
  return `# Fidelity

Public test suites that start kube-apiserver and etcd themselves, run with the programs of \`gatehouse envtest install\` and
with kube-apiserver v1.29.0 and etcd. \`test/fidelity/run.mjs\` writes this page.

${table(["module", "suite", "specs passed", "with kube-apiserver", "seconds"], rows)}

## Specs that pass with kube-apiserver alone

${missing.length === 0 ? "None." : missing.join("\n")}
`;
}

function table(head, rows) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
