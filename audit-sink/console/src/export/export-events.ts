import type { Api } from "../sink/api.js";
import type { Item } from "../sink/types.js";
import { csvHead, csvLine } from "./csv.js";

/** The form of an exported file. */
export type ExportFormat = "csv" | "jsonl";

/** Bounds of what a page holds in memory; `gatehouse-audit query` has none. */
const maxEvents = 50_000;
const maxCharacters = 200_000_000;
const pageSize = "1000";

/** A file that was put together, and how much of the answer is in it. */
export interface ExportedFile {
  readonly blob: Blob;
  readonly name: string;
  readonly events: number;
  readonly isComplete: boolean;
}

/** Asks for the events of a question, page by page, newest first, and puts them into a file. */
export async function exportEvents(
  api: Api,
  question: URLSearchParams,
  format: ExportFormat,
  signal: AbortSignal,
  onProgress: (events: number) => void,
): Promise<ExportedFile> {
  const parts: string[] = format === "csv" ? [csvHead] : [];
  const lineOf = format === "csv" ? csvLine : (item: Item): string => `${JSON.stringify(item)}\n`;
  const query = new URLSearchParams(question);
  query.set("limit", pageSize);
  let events = 0;
  let characters = 0;
  for (;;) {
    const { items, next } = await api.events(query, signal);
    const text = items.map(lineOf).join("");
    parts.push(text);
    events += items.length;
    characters += text.length;
    onProgress(events);
    if (next === undefined || events >= maxEvents || characters >= maxCharacters) {
      const time = new Date().toISOString().slice(0, 19).replaceAll(":", "");
      const type = format === "csv" ? "text/csv" : "application/x-ndjson";
      return {
        blob: new Blob(parts, { type }),
        name: `audit-${time}Z.${format}`,
        events,
        isComplete: next === undefined,
      };
    }
    query.set("cursor", next);
  }
}
