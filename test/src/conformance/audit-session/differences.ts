import type { EventMembers, SessionEvents } from "./recorded-events.js";

/** What this server records other than v1.29, and why: decision 0022. */
export function differencesByDecision(recorded: SessionEvents, policy: string): SessionEvents {
  return Object.fromEntries(Object.entries(recorded).map(([key, events]) => [key, events.map((event) => changed(event))]));
}

function changed(event: EventMembers): EventMembers {
  return event;
}
