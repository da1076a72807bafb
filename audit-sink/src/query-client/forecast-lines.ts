import type { auditV1 } from "@gatehouse/envelopes/types";
import type { VolumeReport } from "@gatehouse/policies/audit-volume";
import { bytesText, countText, textTable } from "./text-table.js";

const msPerDay = 86_400_000;
/** Period in milliseconds below which a forecast for a day is called a guess. */
const shortMs = 3_600_000;

/** Formats the events that a policy would have recorded, in lines for people. */
export function forecastLines(report: VolumeReport, policy: auditV1.Policy): readonly string[] {
  const { recorded, forecast, rules, fromMs, toMs, belowLevel } = report;
  if (fromMs === undefined || toMs === undefined) {
    return ["no events"];
  }
  const days = Math.max(toMs - fromMs, 1000) / msPerDay;
  const volume = (events: number, bytes: number): string[] => [
    countText(events),
    bytesText(bytes),
    countText(events / days),
    bytesText(bytes / days),
  ];
  const rows = rules
    .filter(({ rule, matched }) => rule >= 0 || matched > 0)
    .map(({ rule, level, matched, events, bytes }) => [
      rule < 0 ? "no rule" : String(rule + 1),
      level,
      rule < 0 ? "" : ruleText(policy.rules[rule] as auditV1.PolicyRule),
      countText(matched),
      ...volume(events, bytes),
    ]);
  rows.push(["all", "", "", countText(recorded.events), ...volume(forecast.events, forecast.bytes)]);
  const heads = ["RULE", "LEVEL", "FOR", "MATCHED", "EVENTS", "BYTES", "EVENTS/DAY", "BYTES/DAY"];
  const share = (part: number, whole: number): string => (whole === 0 ? "0" : ((100 * part) / whole).toFixed(1));
  return [
    `${countText(recorded.events)} events from ${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}, ${bytesText(recorded.bytes)}`,
    "",
    ...textTable(heads, rows, new Set([3, 4, 5, 6, 7])),
    "",
    `That is ${share(forecast.events, recorded.events)}% of the events and ${share(forecast.bytes, recorded.bytes)}% of the bytes that were kept.`,
    ...(toMs - fromMs < shortMs ? ["The events are of less than an hour: what they say of a day is a guess."] : []),
    ...(belowLevel > 0
      ? [
          `${countText(belowLevel)} events were recorded at a lower level than the policy asks for: the bytes are too few by their bodies.`,
        ]
      : []),
  ];
}

const maxRuleText = 60;

/** Describes the requests of a rule, in short. */
function ruleText(rule: auditV1.PolicyRule): string {
  const { users = [], userGroups = [], verbs = [], resources = [], namespaces = [], nonResourceURLs = [] } = rule;
  const parts = [
    ...users,
    ...userGroups,
    ...verbs,
    ...resources.flatMap(({ group = "", resources: names = [] }) =>
      names.length === 0 ? [group === "" ? "core" : group] : names,
    ),
    ...namespaces.map((namespace) => `in ${namespace === "" ? "no namespace" : namespace}`),
    ...nonResourceURLs,
  ];
  const text = parts.length === 0 ? "everything" : parts.join(" ");
  return text.length > maxRuleText ? `${text.slice(0, maxRuleText - 1)}…` : text;
}
