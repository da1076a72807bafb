const count = new Intl.NumberFormat("en");
const shortCount = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Returns a number with separators. */
export function countText(value: number): string {
  return count.format(value);
}

/** Returns a number of events in words. */
export function eventsText(value: number): string {
  return value === 1 ? "1 event" : `${countText(value)} events`;
}

/** Returns a number in compact form, such as 1.2K. */
export function shortCountText(value: number): string {
  return shortCount.format(value);
}

/** Returns a number of bytes in the largest unit that fits. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const unit = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** unit;
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}
