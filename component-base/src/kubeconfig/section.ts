/** Notes what is wrong at a path. */
export type AddProblem = (path: string, what: string) => void;

/** One map of the document, read key by key with problems reported at their path. Empty strings count as absent. */
export interface Section {
  readonly path: string;
  string(key: string): string | undefined;
  requiredString(key: string): string | undefined;
  boolean(key: string): boolean | undefined;
  list(key: string): readonly unknown[];
  /** A list of texts; anything else in it is a problem. */
  strings(key: string): readonly string[];
  /** The map in a field, if there is one. */
  section(key: string): Section | undefined;
  refuse(key: string, reason: string): void;
}

/** The section of a value, at a path that begins the paths of its problems; empty when the value is no map. */
export function createSection(path: string, value: unknown, add: AddProblem): Section {
  const fields: ReadonlyMap<string, unknown> = new Map(
    typeof value === "object" && value !== null ? Object.entries(value) : [],
  );
  const at = (key: string) => (path === "" ? key : `${path}.${key}`);
  function string(key: string): string | undefined {
    const field = fields.get(key) ?? undefined;
    if (field !== undefined && typeof field !== "string") {
      add(at(key), "must be a string");
      return undefined;
    }
    return field === "" ? undefined : field;
  }
  function list(key: string): readonly unknown[] {
    const field = fields.get(key) ?? [];
    if (!Array.isArray(field)) {
      add(at(key), "must be a list");
      return [];
    }
    return field;
  }
  return {
    path,
    string,
    list,
    strings(key) {
      const texts = list(key);
      for (const [index, text] of texts.entries()) {
        if (typeof text !== "string") {
          add(`${at(key)}[${index}]`, "must be a string");
        }
      }
      return texts.filter((text) => typeof text === "string");
    },
    section(key) {
      const field = fields.get(key) ?? undefined;
      return field === undefined ? undefined : createSection(at(key), field, add);
    },
    requiredString(key) {
      if ((fields.get(key) ?? "") === "") {
        add(at(key), "is required");
        return undefined;
      }
      return string(key);
    },
    boolean(key) {
      const field = fields.get(key) ?? undefined;
      if (field !== undefined && typeof field !== "boolean") {
        add(at(key), "must be true or false");
        return undefined;
      }
      return field;
    },
    refuse(key, reason) {
      const field = fields.get(key) ?? "";
      if (field !== "") {
        add(at(key), reason);
      }
    },
  };
}
