let second = 0;
let text = "";

/** Returns the present time as the Date header has it (RFC 9110, section 5.6.7). It is written once a second. */
export function httpDate(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1000).toUTCString();
  }
  return text;
}
