import type { Finding, ManifestReport } from "./manifest-report.js";

/** Commands of GitHub Actions by level. */
const commands: Readonly<Record<Finding["level"], string>> = { error: "error", warning: "warning", note: "notice" };

/** Writes a report as workflow commands of GitHub Actions, which show findings beside the lines of a pull request. */
export function formatGithub({ checked, skipped }: ManifestReport): string {
  const findings = checked.flatMap(({ object, findings: own }) =>
    own.map(({ file, line, level, rule, message }) => {
      const properties = `file=${property(file)},line=${line},title=${property(rule)}`;
      return `::${commands[level]} ${properties}::${data(`${object}: ${message}`)}`;
    }),
  );
  const left = skipped.map(
    ({ file, line, reason }) => `::notice file=${property(file)},line=${line},title=skipped::${data(reason)}`,
  );
  return [...findings, ...left].join("\n");
}

/** Returns text that stands after the second `::`. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Returns text that stands as the value of a property, where `:` and `,` have a meaning, too. */
function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
