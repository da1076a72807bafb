/** Lines of a table: columns as wide as their widest cell, those of numbers aligned to the right. */
export function textTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  alignRight: ReadonlySet<number> = new Set(),
): string[] {
  const all = [heads, ...rows].map((row) => row.map(printable));
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return alignRight.has(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Replaces control characters, with which an event could move the cursor of a terminal or fake a line. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\uFFFD");
}

/** A number of bytes in the largest unit that fits. */
export function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const unit = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** unit;
  return `${unit === 0 ? Math.round(value) : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** A whole number with separators. */
export function countText(count: number): string {
  return Math.round(count).toLocaleString("en");
}
