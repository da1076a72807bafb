import { element } from "../page/dom.js";
import type { Api } from "../sink/api.js";
import type { AuditEvent, Item } from "../sink/types.js";
import type { TimeFormat } from "../time/time-format.js";
import { authorOf, managerOf } from "./change-authors.js";
import { fieldChangeList, patchChangeList } from "./change-list.js";
import { diffObjects } from "./object-diff.js";
import { type WebhookPatch, webhookPatches } from "./patch-diff.js";
import { findPrevious, isDryRun, isWriteOfObject, type PreviousObject } from "./previous-object.js";

/** Returns the patches of webhooks. The object of a patch is not in its event, so values before are not known there. */
export function patchesOf(event: AuditEvent): readonly WebhookPatch[] {
  return webhookPatches(event.annotations ?? {}, event.verb === "patch" ? undefined : event.requestObject);
}

/**
 * Makes the section that tells what an update or patch changed. It asks for the object as an earlier event recorded it,
 * and fills itself when the answer is there. Undefined for other events.
 */
export function changesSection(api: Api, item: Item, times: TimeFormat, signal: AbortSignal): HTMLElement | undefined {
  if (!isWriteOfObject(item.event)) {
    return undefined;
  }
  const body = element(
    "div",
    { "aria-busy": "true" },
    element("p", { class: "muted" }, "Looking for the object before …"),
  );
  const fill = (...content: readonly HTMLElement[]): void => {
    body.replaceChildren(...content);
    body.removeAttribute("aria-busy");
  };
  findPrevious(api, item, signal).then(
    (previous) => fill(...changesBody(item.event, previous, times)),
    (error: unknown) => {
      if (!signal.aborted) {
        fill(hint(`The object before cannot be asked for: ${error instanceof Error ? error.message : String(error)}`));
      }
    },
  );
  return element("section", { class: "changes" }, element("h3", {}, "Changes"), body);
}

/** Makes a section for each webhook that changed the object. */
export function hookSections(event: AuditEvent): readonly HTMLElement[] {
  return patchesOf(event).map(({ round, configuration, webhook, changes }) =>
    element(
      "section",
      {},
      element("h3", {}, `Changed by ${webhook}`),
      hint(`${configuration}, ${round.replaceAll("_", " ")}`),
      patchChangeList(changes),
    ),
  );
}

function changesBody(
  event: AuditEvent,
  previous: PreviousObject | undefined,
  times: TimeFormat,
): readonly HTMLElement[] {
  if (previous === undefined) {
    return [hint("No earlier event has the object, so only what was sent and answered is known.")];
  }
  const changes = diffObjects(previous.object, event.responseObject);
  const since = `Compared with the object of ${times.dateAndTime(previous.time)}`;
  const doubt = previous.hasUnknownWrites
    ? "; other writes since then are among these changes, because their events do not have the object"
    : "";
  const dryRun = isDryRun(event) ? " A dry run: nothing was stored." : "";
  if (changes.length === 0) {
    return [hint(`No field has changed. ${since}${doubt}.${dryRun}`)];
  }
  const patches = patchesOf(event);
  // The object afterwards does not tell who removed a field.
  const author = ({ path, after }: (typeof changes)[number]): string =>
    after === undefined ? managerOf(event) : authorOf(path, event, patches);
  return [fieldChangeList(changes, author), hint(`${since}${doubt}.${dryRun}`)];
}

function hint(text: string): HTMLElement {
  return element("p", { class: "muted" }, text);
}
