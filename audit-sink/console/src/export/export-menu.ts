import { buttonElement, byId, element } from "../page/dom.js";
import { attachMenu } from "../page/menu.js";
import { countText, eventsText } from "../page/numbers.js";
import type { Api } from "../sink/api.js";
import { type ExportFormat, exportEvents } from "./export-events.js";

/** The menu that saves the events of the current question to a file. */
export function installExportMenu(api: Api, question: () => URLSearchParams, onError: (error: unknown) => void): void {
  const panel = byId("export-menu");
  const progress = element("p", { class: "muted", role: "status" });
  let running: AbortController | undefined;
  const cancel = buttonElement({ class: "menu-item", hidden: true }, ["Cancel"], () => running?.abort());

  async function run(format: ExportFormat): Promise<void> {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    cancel.hidden = false;
    try {
      const tell = (events: number): void => {
        progress.textContent = `${countText(events)} events read …`;
      };
      const file = await exportEvents(api, question(), format, controller.signal, tell);
      save(file.blob, file.name);
      const rest = file.isComplete ? "" : " The newest only: ask gatehouse-audit query for all of them.";
      progress.textContent = `${eventsText(file.events)} saved as ${file.name}.${rest}`;
    } catch (error) {
      progress.textContent = controller.signal.aborted ? "Cancelled." : "Nothing was saved.";
      onError(error);
    } finally {
      cancel.hidden = true;
    }
  }

  attachMenu(byId("export"), panel, () => {
    progress.textContent = "";
  });
  panel.append(
    buttonElement({ class: "menu-item" }, ["CSV, a line for each event"], () => void run("csv")),
    buttonElement({ class: "menu-item" }, ["JSON lines, each event in full"], () => void run("jsonl")),
    cancel,
    progress,
  );
}

function save(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  element("a", { href, download: name }).click();
  // The browser has taken hold of the data by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
