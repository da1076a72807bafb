const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const minuteMs = 60_000;

/** The parts of a time in one time zone. Months begin with 0. */
interface TimeParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** Times as text in one time zone: UTC, or that of the browser. */
export class TimeFormat {
  readonly isUtc: boolean;

  constructor(isUtc: boolean) {
    this.isUtc = isUtc;
  }

  /** Returns the name of the zone, as `UTC+02:00`. */
  get zoneName(): string {
    const minutes = this.isUtc ? 0 : -new Date().getTimezoneOffset();
    const sign = minutes < 0 ? "−" : "+";
    const offset = `${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
    return minutes === 0 ? "UTC" : `UTC${sign}${offset}`;
  }

  parts(time: Date): TimeParts {
    // Moved by its offset, a time has in UTC the parts that it has in its zone.
    const moved = this.isUtc ? time : new Date(time.getTime() - time.getTimezoneOffset() * minuteMs);
    return {
      year: moved.getUTCFullYear(),
      month: moved.getUTCMonth(),
      day: moved.getUTCDate(),
      hour: moved.getUTCHours(),
      minute: moved.getUTCMinutes(),
      second: moved.getUTCSeconds(),
      millisecond: moved.getUTCMilliseconds(),
    };
  }

  /** Returns the milliseconds since 1970 of a time in this zone; parts beyond their range count on, as in `Date`. */
  msOf(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
    return this.isUtc
      ? Date.UTC(year, month, day, hour, minute, second)
      : new Date(year, month, day, hour, minute, second).getTime();
  }

  /** `14:05` */
  minute(time: Date): string {
    const { hour, minute } = this.parts(time);
    return `${pad(hour)}:${pad(minute)}`;
  }

  /** `14:05:09` */
  second(time: Date): string {
    return `${this.minute(time)}:${pad(this.parts(time).second)}`;
  }

  /** `14:05:09.120` */
  millisecond(time: Date): string {
    return `${this.second(time)}.${pad(this.parts(time).millisecond, 3)}`;
  }

  /** `Nov 23` */
  day(time: Date): string {
    const { month, day } = this.parts(time);
    return `${months[month]} ${day}`;
  }

  /** `2026-11-23 14:05:09` */
  dateAndTime(time: Date): string {
    const { year, month, day } = this.parts(time);
    return `${year}-${pad(month + 1)}-${pad(day)} ${this.second(time)}`;
  }

  isSameDay(a: Date, b: Date): boolean {
    return this.dateAndTime(a).slice(0, 10) === this.dateAndTime(b).slice(0, 10);
  }

  /** Returns two times with as much of the second as says something new. */
  range(from: Date, to: Date): string {
    const isWhole = from.getTime() % minuteMs === 0 && to.getTime() % minuteMs === 0;
    const text = (time: Date): string => (isWhole ? this.minute(time) : this.second(time));
    const start = this.isSameDay(from, new Date()) ? text(from) : `${this.day(from)} ${text(from)}`;
    return `${start} – ${this.isSameDay(from, to) ? text(to) : `${this.day(to)} ${text(to)}`}`;
  }
}

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, "0");
}
