/** Sums the samples of a scrape whose names and labels begin with a text. */
export function sampleOf(scrape: string, series: string): number {
  return scrape
    .split("\n")
    .filter((line) => line.startsWith(series))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}
