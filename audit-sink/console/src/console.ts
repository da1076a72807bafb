// The console of an audit sink: what is asked for stands in the form of filters, all else follows from it.
import { Api, ApiError } from "./api.js";
import { Chart, type ChartSplit } from "./chart.js";
import { DetailDialog } from "./detail-dialog.js";
import { byId, element } from "./dom.js";
import { EventTable } from "./event-table.js";
import { Filters } from "./filters.js";
import { bytesText, countText, dateAndTime, eventsText } from "./format.js";
import { showRanking } from "./ranking.js";
import type { Item, Stats } from "./types.js";

const pageSize = "100";
const refreshMs = 5000;
const reconnectMs = 2000;

const api = new Api();
const table: EventTable = new EventTable(byId("rows"), (place) => detail.open(place));
const detail = new DetailDialog(() => table);
const filters = new Filters(byId("filters"), () => void refresh());
const chart = new Chart({
  plot: byId("chart"),
  text: byId("chart-text"),
  legend: byId("chart-legend"),
  onChoose: (period) => filters.setPeriod(period),
});

let asking = new AbortController();
let live: AbortController | undefined;
let split: ChartSplit = "byOutcome";
let stats: Stats | undefined;
let next: string | undefined;
let skipped = 0;

/** Asks anew for everything that the filters say. */
async function refresh(): Promise<void> {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  skipped = 0;
  try {
    if (live !== undefined) {
      startTail();
    }
    const query = filters.query();
    query.set("limit", pageSize);
    const [page] = await Promise.all([api.events(query, signal), refreshStats(signal)]);
    table.replace(page.items);
    next = page.next;
    tellEvents();
  } catch (error) {
    tellError(error);
  }
}

async function refreshStats(signal: AbortSignal): Promise<void> {
  const query = filters.query();
  query.set("buckets", "60");
  stats = await api.stats(query, signal);
  showStats(stats);
}

function showStats(shown: Stats): void {
  chart.show(shown, split);
  showRanking(byId("top-users"), shown.top["user"] ?? [], (user) => filters.set("user", user));
  showRanking(byId("top-resources"), shown.top["resource"] ?? [], (resource) => filters.set("resource", resource));
  const { events, bytes, oldest } = shown.index;
  const since = oldest === undefined ? "" : `, the oldest of ${dateAndTime(new Date(oldest))}`;
  byId("status").textContent = `${eventsText(events)} kept in ${bytesText(bytes)}${since}`;
}

async function showMore(): Promise<void> {
  if (next === undefined) {
    return;
  }
  try {
    const query = filters.query();
    query.set("limit", pageSize);
    query.set("cursor", next);
    const page = await api.events(query, asking.signal);
    table.append(page.items);
    next = page.next;
    tellEvents();
  } catch (error) {
    tellError(error);
  }
}

function startTail(): void {
  live?.abort();
  const tail = new AbortController();
  live = tail;
  api.tail(filters.query({ live: true }), tail.signal, takeNews).catch((error: unknown) => {
    if (tail.signal.aborted) {
      return;
    }
    if (error instanceof ApiError && error.code === 0) {
      tellProblem(`${error.message} Trying again …`);
      // What came meanwhile is asked for as well.
      setTimeout(() => live === tail && void refresh(), reconnectMs);
      return;
    }
    setLive(false);
    tellError(error);
  });
}

function takeNews(items: readonly Item[], left: number): void {
  skipped += left;
  table.prepend(items);
  next = undefined;
  tellEvents();
}

function setLive(isOn: boolean): void {
  byId("live").setAttribute("aria-pressed", String(isOn));
  if (isOn) {
    startTail();
  } else {
    live?.abort();
    live = undefined;
  }
  tellEvents();
}

function tellEvents(): void {
  const shown = `${countText(table.items.length)} shown`;
  const streamed = live === undefined ? "" : ", more as they come";
  const missed = skipped === 0 ? "" : `; ${countText(skipped)} came too fast to be shown`;
  byId("events-text").textContent = shown + streamed + missed;
  byId("no-events").hidden = table.items.length > 0;
  tellProblem("");
  byId("more").hidden = next === undefined || live !== undefined;
}

function tellError(error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") {
    return;
  }
  if (error instanceof ApiError && error.code === 401) {
    showLogin(api.hasToken ? "The sink does not know this token." : "");
    return;
  }
  tellProblem(error instanceof Error ? error.message : String(error));
}

function tellProblem(text: string): void {
  byId("problem").textContent = text;
  byId("problem").hidden = text === "";
}

function showLogin(message: string): void {
  api.logOut();
  setLive(false);
  byId("main").hidden = true;
  byId("logout").hidden = true;
  byId("status").textContent = "";
  byId("login").hidden = false;
  byId("login-error").textContent = message;
  byId("token").focus();
}

async function enter(): Promise<void> {
  try {
    const name = await api.whoami();
    byId("login").hidden = true;
    byId("main").hidden = false;
    byId("logout").hidden = !api.hasToken;
    byId("logout").title = `You are ${name}`;
    await refresh();
  } catch (error) {
    if (error instanceof ApiError && error.code === 401) {
      tellError(error);
    } else {
      showLogin(error instanceof Error ? error.message : String(error));
    }
  }
}

function splitButton(name: ChartSplit, text: string): HTMLElement {
  const button = element("button", { type: "button", "aria-pressed": String(name === split) }, text);
  button.addEventListener("click", () => {
    split = name;
    for (const each of byId("chart-by").children) {
      each.setAttribute("aria-pressed", String(each === button));
    }
    if (stats !== undefined) {
      chart.show(stats, split);
    }
  });
  return button;
}

byId("chart-by").append(splitButton("byOutcome", "Outcome"), splitButton("byVerb", "Verb"));
byId("live").addEventListener("click", () => setLive(live === undefined));
byId("more").addEventListener("click", () => void showMore());
byId("logout").addEventListener("click", () => showLogin(""));
byId("theme").addEventListener("click", () => {
  const { documentElement } = document;
  const isDark =
    getComputedStyle(documentElement).colorScheme === "dark" || matchMedia("(prefers-color-scheme: dark)").matches;
  const chosen = documentElement.dataset["theme"] ?? (isDark ? "dark" : "light");
  documentElement.dataset["theme"] = chosen === "dark" ? "light" : "dark";
});
byId("login-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = byId<HTMLInputElement>("token");
  api.logIn(input.value.trim());
  input.value = "";
  void enter();
});
setInterval(() => {
  if (live !== undefined && document.visibilityState === "visible") {
    refreshStats(asking.signal).catch(tellError);
  }
}, refreshMs);
void enter();
