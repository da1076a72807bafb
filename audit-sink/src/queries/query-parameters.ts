import { closestName } from "@gatehouse/component-base/flags";
import { parseMilliseconds } from "@gatehouse/envelopes/go";
import { StatusError } from "@gatehouse/envelopes/status";
import { type EventField, eventFields } from "../index-store/event-fields.js";
import type { EventFilter } from "../index-store/event-filter.js";

/** Values of one field, and their length in UTF-16 units. */
const maxValues = 50;
const maxValueLength = 512;
const msPerDay = 86_400_000;

const fieldNames: ReadonlySet<string> = new Set(eventFields);

/** A parameter that cannot be taken, and the reason. */
interface ParameterProblem {
  readonly name: string;
  readonly text: string;
}

/** The parameters of a question, read one by one; all that is wrong with them is told at once. */
export class QueryParameters {
  readonly #query: URLSearchParams;
  readonly #problems: ParameterProblem[] = [];
  readonly #nowMs: number;

  /** `allowed` are the parameters beside those that filter. */
  constructor(query: URLSearchParams, allowed: readonly string[], nowMs: number) {
    this.#query = query;
    this.#nowMs = nowMs;
    const known = [...eventFields, "auditID", "from", "to", ...allowed];
    for (const name of new Set(query.keys())) {
      if (!known.includes(name)) {
        const closest = closestName(name, known);
        const advice = closest === undefined ? "" : `; did you mean ${closest}?`;
        this.refuse(JSON.stringify(name.slice(0, 50)), `is no parameter${advice}`);
      } else if (!fieldNames.has(name) && name !== "rank" && query.getAll(name).length > 1) {
        this.refuse(name, "must be given once only");
      }
    }
  }

  /** The events that are asked for. */
  filter(): EventFilter {
    const fields: Partial<Record<EventField, readonly string[]>> = {};
    for (const field of eventFields) {
      const values = this.#query.getAll(field);
      if (values.length > 0) {
        this.#validateValues(field, values);
        fields[field] = values;
      }
    }
    const auditID = this.#query.get("auditID");
    const fromUs = this.timeUs("from");
    const toUs = this.timeUs("to");
    if (fromUs !== undefined && toUs !== undefined && fromUs >= toUs) {
      this.refuse("to", "must be later than from");
    }
    return {
      fields,
      ...(auditID === null ? {} : { auditID }),
      ...(fromUs === undefined ? {} : { fromUs }),
      ...(toUs === undefined ? {} : { toUs }),
    };
  }

  /** Microseconds since 1970; undefined when it is not given. */
  timeUs(name: "from" | "to"): number | undefined {
    const text = this.#query.get(name);
    if (text === null) {
      return undefined;
    }
    const ms = parseTimeMs(text, this.#nowMs);
    if (ms === undefined) {
      this.refuse(name, "must be a time such as 2026-01-31T00:00:00Z, or how long ago it was, such as 90m or 7d");
      return undefined;
    }
    return ms * 1000;
  }

  count(name: string, fallback: number, max: number): number {
    const text = this.#query.get(name);
    if (text === null) {
      return fallback;
    }
    const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) {
      this.refuse(name, `must be a whole number from 1 to ${max}`);
      return fallback;
    }
    return value;
  }

  /** Names of fields, each once. */
  fields(name: string): readonly EventField[] {
    const names = [...new Set(this.#query.getAll(name))];
    const known = names.filter((each): each is EventField => fieldNames.has(each));
    if (known.length < names.length) {
      this.refuse(name, `must be one of ${eventFields.join(", ")}`);
    }
    return known;
  }

  refuse(name: string, text: string): void {
    this.#problems.push({ name, text });
  }

  /** Throws 400 with all that was found wrong: in its message for people, in its causes for programs. */
  assertValid(): void {
    if (this.#problems.length > 0) {
      const message = this.#problems.map(({ name, text }) => `${name}: ${text}`).join("; ");
      const causes = this.#problems.map(({ name, text }) => ({ field: name, message: text }));
      throw new StatusError(400, "BadRequest", message, { causes });
    }
  }

  #validateValues(field: EventField, values: readonly string[]): void {
    if (values.length > maxValues) {
      this.refuse(field, `must be given ${maxValues} times at most`);
    }
    if (values.some((value) => value.length > maxValueLength)) {
      this.refuse(field, `must have ${maxValueLength} characters at most`);
    }
    if (field === "code" && values.some((value) => !/^!?(\d{3}|\d{0,2}\*|)$/.test(value))) {
      this.refuse("code", "must be a status code such as 404, or the beginning of one such as 4*");
    }
  }
}

/** A time as people say it, in milliseconds since 1970: RFC 3339, or how long ago. Undefined when it is neither. */
function parseTimeMs(text: string, nowMs: number): number | undefined {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) {
    return nowMs - Number(days) * msPerDay;
  }
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) {
    const ms = Date.parse(text);
    return Number.isNaN(ms) ? undefined : ms;
  }
  const agoMs = /^\d/.test(text) ? parseMilliseconds(text) : undefined;
  return agoMs === undefined ? undefined : nowMs - agoMs;
}
