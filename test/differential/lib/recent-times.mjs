// Times of a run itself, which no two runs have in common.

/** A time in RFC 3339, or as Go prints one, with its monotonic reading. */
const time = /\b(20\d\d-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z| \+0000 UTC)?(?: m=\+[0-9.]+)?/g;
const dayMs = 86_400_000;

/** Returns a text with `NOW` in place of each time that is less than a day from this moment. */
export function withoutRecentTimes(text) {
  return text.replace(time, (found, date, clock) =>
    Math.abs(Date.parse(`${date}T${clock}Z`) - Date.now()) < dayMs ? "NOW" : found,
  );
}
