import type { ReplayReport, VerdictChange } from "./replay-report.js";

const sorts: readonly (readonly [VerdictChange["sort"], string])[] = [
  ["newly denied", "allowed then, denied now"],
  ["newly allowed", "denied then, allowed now"],
  ["newly audited", "noted in the audit log now, not then"],
  ["no longer audited", "noted in the audit log then, not now"],
];

/** Writes a report as text: the numbers of events, then policies, then what would change. */
export function formatReplay(report: ReplayReport): string {
  const { events, judged, unconcerned, unjudged, policies, changes, changed } = report;
  const lacking = [...unjudged.values()].reduce((sum, count) => sum + count, 0);
  return [
    `${events} events: ${judged} judged, ${lacking} not judged, ${unconcerned} that no policy names`,
    ...[...unjudged].sort(([, a], [, b]) => b - a).map(([why, count]) => `  ${count} not judged: ${why}`),
    ...table([
      ["POLICY", "REQUESTS", "DENIED THEN", "DENIED NOW"],
      ...[...policies].map(([name, { evaluated, deniedThen, deniedNow }]) => [name, evaluated, deniedThen, deniedNow]),
    ]),
    ...sorts.flatMap(([sort, heading]) =>
      changeLines(
        heading,
        changes.filter((change) => change.sort === sort),
      ),
    ),
    changed === 0 ? "no verdict would change" : `${changed} of ${judged} verdicts would change`,
  ].join("\n");
}

function changeLines(heading: string, changes: readonly VerdictChange[]): readonly string[] {
  if (changes.length === 0) {
    return [];
  }
  const rows = [...changes].sort((a, b) => b.requests - a.requests);
  return [
    `${heading}:`,
    ...rows.flatMap(({ policy, namespace, user, requests, example }) => [
      `  ${policy}: ${requests} of ${user}${namespace === "" ? "" : ` in ${namespace}`}`,
      `    ${example}`,
    ]),
  ];
}

function table(rows: readonly (readonly (string | number)[])[]): readonly string[] {
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return rows.map((row) =>
    row
      .map((cell, column) => String(cell).padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
