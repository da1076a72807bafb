import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { parseAuditPolicy } from "@gatehouse/policies/audit";
import { type Volume, VolumeForecast, type VolumeReport } from "@gatehouse/policies/audit-volume";
import { startTestServer } from "../support/start-test-server.js";
import { playSampleWorkload } from "./sample-workload.js";

/** The policies of the library, by how much they record. */
export const libraryPolicies = ["minimal", "recommended", "security", "full"] as const;

/** The file of a policy of the library. */
export function libraryPolicyFile(name: string): URL {
  return new URL(`../../../policies/library/audit/${name}.yaml`, import.meta.url);
}

/** Returns the events that a server records of the sample workload under a policy, one event a line. */
export async function recordWorkload(policyFile: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-audit-volume-"));
  try {
    const file = join(folder, "audit.log");
    const server = await startTestServer({
      flags: [`--audit-policy-file=${policyFile}`, `--audit-log-path=${file}`, "--audit-log-mode=batch"],
    });
    try {
      await playSampleWorkload(server);
    } finally {
      await server.stop();
    }
    const lines = (await readFile(file, "utf8")).split("\n");
    return lines.filter((line) => line !== "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The volume of recorded lines. */
export function volumeOf(lines: readonly string[]): Volume {
  return { events: lines.length, bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) };
}

/** Returns the forecast for a policy of the library from recorded lines. */
export async function forecastOf(name: string, lines: readonly string[]): Promise<VolumeReport> {
  const reading = await parseAuditPolicy(await readFile(libraryPolicyFile(name), "utf8"));
  if (reading.policy === undefined) {
    throw new Error(`${name}: ${reading.errors.join("; ")}`);
  }
  const forecast = new VolumeForecast(reading.policy);
  for (const line of lines) {
    forecast.observe(JSON.parse(line) as auditV1.Event, Buffer.byteLength(line));
  }
  return forecast.report();
}

/** The table of the library's README: what each policy records of the sample workload. */
export async function volumeTable(lines: readonly string[]): Promise<string> {
  const full = (await forecastOf("full", lines)).forecast;
  const rows = await Promise.all(
    libraryPolicies.map(async (name) => {
      const { events, bytes } = (await forecastOf(name, lines)).forecast;
      const share = `${((100 * bytes) / full.bytes).toFixed(1)}%`;
      const cells = [`\`${name}.yaml\``, String(events), `${Math.round(bytes / 1024)} KiB`, share];
      return `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(18) : cell.padStart(8))).join(" | ")} |`;
    }),
  );
  const head = `| ${["policy".padEnd(18), "  events", "   bytes", "of full".padStart(8)].join(" | ")} |`;
  const rule = `| ${"-".repeat(18)} | ${Array.from({ length: 3 }, () => `${"-".repeat(7)}:`).join(" | ")} |`;
  return [head, rule, ...rows].join("\n");
}

const begin = "<!-- volumes: written by node test/dist/audit-volume/measure.js -->";
const end = "<!-- end of volumes -->";
const readme = new URL("../../../policies/library/audit/README.md", import.meta.url);

/** The table as it stands in the library's README. */
export async function readVolumeTable(): Promise<string> {
  const text = await readFile(readme, "utf8");
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(end)).trim();
}

/** Puts a table into the library's README. */
export async function writeVolumeTable(table: string): Promise<void> {
  const text = await readFile(readme, "utf8");
  const from = text.indexOf(begin) + begin.length;
  await writeFile(readme, `${text.slice(0, from)}\n\n${table}\n\n${text.slice(text.indexOf(end))}`);
}
