/** A metric of a scrape in Prometheus text format 0.0.4. */
export interface ScrapedFamily {
  /** The lines HELP and TYPE, each with its line break. */
  readonly header: string;
  readonly name: string;
  readonly type: string;
  /** Values by name and labels as they are written, in the order of the scrape. */
  readonly samples: Map<string, number>;
}

/** A scrape: its metrics by name. */
export type Scrape = ReadonlyMap<string, ScrapedFamily>;

/** Reads a scrape of a worker, whose samples have no times. */
export function parseScrape(text: string): Scrape {
  const families = new Map<string, ScrapedFamily>();
  let help = "";
  let family: ScrapedFamily | undefined;
  for (const line of text.split("\n")) {
    if (line.startsWith("# HELP ")) {
      help = `${line}\n`;
    } else if (line.startsWith("# TYPE ")) {
      const [name = "", type = ""] = line.slice(7).split(" ", 2);
      family = { header: `${help}${line}\n`, name, type, samples: new Map() };
      families.set(name, family);
      help = "";
    } else if (line !== "" && !line.startsWith("#")) {
      const end = line.lastIndexOf(" ");
      family?.samples.set(line.slice(0, end), numberOf(line.slice(end + 1)));
    }
  }
  return families;
}

/** Renders a scrape. */
export function renderScrape(scrape: Scrape): string {
  const parts: string[] = [];
  for (const { header, samples } of scrape.values()) {
    parts.push(header);
    for (const [series, value] of samples) {
      parts.push(`${series} ${textOf(value)}\n`);
    }
  }
  return parts.join("");
}

function numberOf(text: string): number {
  return text === "+Inf" ? Number.POSITIVE_INFINITY : text === "-Inf" ? Number.NEGATIVE_INFINITY : Number(text);
}

function textOf(value: number): string {
  return Number.isFinite(value) || Number.isNaN(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
}
