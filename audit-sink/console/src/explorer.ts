import { AddressBar } from "./address/address-bar.js";
import { asksTheSame, defaultLast, emptyView, type Filter, type View } from "./address/view.js";
import { DetailPane } from "./detail/detail-pane.js";
import { EventList } from "./events/event-list.js";
import { installExportMenu } from "./export/export-menu.js";
import { FilterBar } from "./filters/filter-bar.js";
import { withOnly } from "./filters/filter-text.js";
import { byId } from "./page/dom.js";
import { Problems } from "./page/problems.js";
import { QueryMenu } from "./queries/query-menu.js";
import { installWelcome } from "./queries/welcome.js";
import { installFolding } from "./rankings/rankings.js";
import type { Api } from "./sink/api.js";
import { ApiError } from "./sink/api-error.js";
import { Connection } from "./sink/connection.js";
import { LiveTail } from "./sink/live-tail.js";
import { questionOf, valuesQuestionOf } from "./sink/question.js";
import type { Item, Ranked } from "./sink/types.js";
import { Summary } from "./summary/summary.js";
import { PeriodControl } from "./time/period-control.js";
import { TimeFormat } from "./time/time-format.js";

const refreshMs = 5000;
const suggestionCount = 8;

/** The explorer of events: the address says what is asked for, and all parts of the page show the answer. */
export class Explorer {
  readonly #api: Api;
  readonly #address = new AddressBar((view, before) => this.#show(view, before));
  readonly #filters = new FilterBar(
    (field, prefix) => this.#rank(field, prefix),
    (filters) => this.#address.go({ filters }),
  );
  readonly #period: PeriodControl;
  readonly #list: EventList;
  readonly #summary: Summary;
  readonly #detail: DetailPane;
  readonly #tail: LiveTail;
  readonly #connection = new Connection();
  readonly #problems: Problems;
  #times = new TimeFormat(this.#address.view.isUtc);
  #asking = new AbortController();

  /** `onUnauthorized` is called when the sink does not know who asks. */
  constructor(api: Api, onUnauthorized: () => void) {
    this.#api = api;
    const onFilter = (filter: Filter): void => this.#narrow(filter);
    this.#period = new PeriodControl(this.#times, (period) => this.#address.go({ period }));
    this.#list = new EventList(api, this.#times, {
      onOpen: ({ position }) => this.#address.go({ event: position }, { replace: this.#detail.isOpen }),
      onFilter,
    });
    const onChoosePeriod = (period: View["period"]): void => this.#address.go({ period });
    const summary = new Summary(api, this.#times, { onChoosePeriod, onFilter });
    this.#summary = summary;
    this.#detail = new DetailPane(api, {
      onClose: () => this.#address.go({ event: undefined }),
      onStep: (by) => this.#step(by),
      onShow: (view) => this.#address.go(view),
    });
    this.#problems = new Problems(this.#connection, {
      onUnauthorized,
      onParameters: (errors) => {
        this.#filters.mark(errors);
        this.#period.mark(errors.find(({ field }) => field === "from" || field === "to")?.message);
      },
      onRetry: () => void this.#ask(),
      get hasResult() {
        return summary.hasResult;
      },
    });
    this.#tail = new LiveTail(api, {
      onNews: (items, skipped) => this.#takeNews(items, skipped),
      onError: (error) => this.#problems.take(error),
    });
    this.#installControls();
  }

  /** Shows what the address says. */
  start(): void {
    this.#show(this.#address.view, undefined);
  }

  /** Ends all that is going on, as before a login. */
  stop(): void {
    this.#asking.abort();
    this.#tail.stop();
    this.#connection.cancel();
    this.#detail.close();
  }

  #installControls(): void {
    const goTo = (view: View): void => this.#address.go({ ...view, isUtc: this.#address.view.isUtc });
    installExportMenu(
      this.#api,
      () => questionOf(this.#address.view),
      (error) => this.#problems.take(error),
    );
    installFolding();
    installWelcome(goTo);
    new QueryMenu(() => this.#address.view, goTo);
    const onClick = (id: string, listener: () => void): void => byId(id).addEventListener("click", listener);
    onClick("more", () => void this.#showMore());
    onClick("live", () => this.#setLive(!this.#tail.isOn));
    onClick("zone", () => this.#address.go({ isUtc: !this.#address.view.isUtc }, { replace: true }));
    onClick("system", () => this.#address.go({ showsSystem: !this.#address.view.showsSystem }));
    onClick("reset", () => goTo(emptyView));
    onClick("byOutcome", () => this.#address.go({ split: "byOutcome" }));
    onClick("byVerb", () => this.#address.go({ split: "byVerb" }));
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !(event.target instanceof HTMLInputElement) && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        this.#filters.focus();
      }
    });
    setInterval(() => this.#refresh(), refreshMs);
  }

  /** Shows a view; without one before, all of it. */
  #show(view: View, before: View | undefined): void {
    const isNewZone = before !== undefined && before.isUtc !== view.isUtc;
    this.#times = new TimeFormat(view.isUtc);
    this.#showControls(view);
    if (isNewZone) {
      this.#list.grid.setTimes(this.#times);
    }
    if (before === undefined || !asksTheSame(view, before)) {
      this.#filters.show(view.filters);
      void this.#ask();
    } else {
      this.#summary.draw(view.split, this.#times);
    }
    if (view.event !== before?.event || isNewZone) {
      void this.#showEvent(view.event);
    }
  }

  #showControls(view: View): void {
    this.#period.show(view.period, this.#times);
    byId("zone").textContent = view.isUtc ? "UTC" : `Local, ${this.#times.zoneName}`;
    byId("byOutcome").setAttribute("aria-pressed", String(view.split === "byOutcome"));
    byId("byVerb").setAttribute("aria-pressed", String(view.split === "byVerb"));
  }

  /** Asks for everything that the view says. What is shown stays until there is an answer. */
  async #ask(): Promise<void> {
    this.#asking.abort();
    this.#connection.cancel();
    const controller = new AbortController();
    this.#asking = controller;
    const { view } = this.#address;
    const { signal } = controller;
    byId("results").setAttribute("aria-busy", "true");
    try {
      if (this.#tail.isOn) {
        this.#tail.start(questionOf(view, { isLive: true }));
      }
      const [showEvents] = await Promise.all([
        this.#list.ask(view, signal),
        this.#summary.ask(view, this.#times, signal),
      ]);
      showEvents();
      this.#problems.solve();
      this.#tell();
    } catch (error) {
      this.#problems.take(error);
    } finally {
      if (this.#asking === controller) {
        byId("results").removeAttribute("aria-busy");
      }
    }
  }

  /** Counts anew while events stream in, and asks anew until there is a first event. */
  #refresh(): void {
    if (document.visibilityState !== "visible" || byId("main").hidden || !byId("problem").hidden) {
      return;
    }
    if (this.#tail.isOn) {
      this.#summary
        .ask(this.#address.view, this.#times, this.#asking.signal)
        .catch((error: unknown) => this.#problems.take(error));
    } else if (this.#summary.isSinkEmpty) {
      void this.#ask();
    }
  }

  async #showMore(): Promise<void> {
    try {
      await this.#list.askMore(this.#address.view, this.#asking.signal);
      this.#tell();
    } catch (error) {
      this.#problems.take(error);
    }
  }

  async #showEvent(position: number | undefined): Promise<void> {
    const { grid } = this.#list;
    grid.select(position);
    this.#problems.setLasting("");
    if (position === undefined) {
      if (this.#detail.isOpen) {
        this.#detail.close();
        grid.focus();
      }
      return;
    }
    try {
      const item = grid.itemAt(position) ?? (await this.#api.event(position));
      if (this.#address.view.event === position) {
        this.#detail.show(item, this.#times);
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) {
        this.#problems.setLasting(`The event ${position} is not kept any more.`);
      } else {
        this.#problems.take(error);
      }
    }
  }

  #step(by: 1 | -1): void {
    const next = this.#list.grid.neighbourOf(this.#address.view.event, by);
    if (next !== undefined) {
      this.#address.go({ event: next.position }, { replace: true });
    }
  }

  #narrow(filter: Filter): void {
    this.#address.go({ filters: withOnly(this.#address.view.filters, filter) });
  }

  #setLive(isOn: boolean): void {
    if (isOn) {
      this.#tail.start(questionOf(this.#address.view, { isLive: true }));
      if (!("last" in this.#address.view.period)) {
        // Events that come lie in no period that is over.
        this.#address.go({ period: { last: defaultLast } });
      }
    } else {
      this.#tail.stop();
    }
    this.#tell();
  }

  #takeNews(items: readonly Item[], skipped: number): void {
    this.#list.prepend(items, skipped);
    this.#tell();
  }

  #tell(): void {
    byId("live").setAttribute("aria-pressed", String(this.#tail.isOn));
    this.#list.tell({ isLive: this.#tail.isOn, isSinkEmpty: this.#summary.isSinkEmpty });
  }

  async #rank(field: string, prefix: string): Promise<readonly Ranked[]> {
    const { top } = await this.#api.stats(valuesQuestionOf(this.#address.view, field, prefix, suggestionCount));
    return top[field] ?? [];
  }
}
