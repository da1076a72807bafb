import type { Filter } from "../address/view.js";
import type { Ranked } from "../sink/types.js";
import { filterFields, findField } from "./filter-fields.js";
import { parseFilter } from "./filter-text.js";

/** An entry of the list below the filter input. */
export interface Suggestion {
  readonly label: string;
  readonly help: string;
  /** The condition that the entry adds; undefined when it only completes the name of a field. */
  readonly filter?: Filter;
  /** Text that the input gets in place of what was typed. */
  readonly completion?: string;
}

/** Returns the most frequent values of a field that begin with a text. */
export type RankValues = (field: string, prefix: string) => Promise<readonly Ranked[]>;

const most = 9;
/** Fields that a bare word may be a value of. */
const searchedFields = ["verb", "code", "user", "resource", "namespace"];

/** Returns suggestions for what has been typed so far. */
export async function suggest(text: string, rank: RankValues): Promise<readonly Suggestion[]> {
  const typed = text.trim();
  const filter = parseFilter(typed);
  return filter === undefined ? suggestForWord(typed, rank) : suggestValues(filter, rank);
}

async function suggestValues({ field, value }: Filter, rank: RankValues): Promise<readonly Suggestion[]> {
  const not = value.startsWith("!") ? "!" : "";
  const prefix = value.slice(not.length);
  const ranked = await valuesOf(field, prefix, rank);
  const values = ranked.filter((each) => each.value !== prefix);
  const own =
    prefix === ""
      ? []
      : [
          valueSuggestion(
            field,
            value,
            ranked.find((each) => each.value === prefix),
          ),
        ];
  return [...own, ...values.map((each) => valueSuggestion(field, `${not}${each.value}`, each))].slice(0, most);
}

async function suggestForWord(word: string, rank: RankValues): Promise<readonly Suggestion[]> {
  const names = filterFields
    .filter(({ name, aliases = [] }) =>
      [name.toLowerCase(), ...aliases].some((each) => each.startsWith(word.toLowerCase())),
    )
    .map(({ name, help }): Suggestion => ({ label: `${name}:`, help, completion: `${name}:` }));
  if (word === "") {
    return names;
  }
  const found = await Promise.all(
    searchedFields.map(async (field) => {
      const values = (await valuesOf(field, word, rank)).slice(0, 2);
      return values.map((each) => valueSuggestion(field, each.value, each));
    }),
  );
  const isCode = /^\d{3}$|^\d{1,2}\*$/.test(word);
  const rest = [...(isCode ? ["code"] : []), "name", "user"].map((field) => valueSuggestion(field, word));
  const known = new Set<string>();
  return [...found.flat(), ...names, ...rest]
    .filter(({ label }) => !known.has(label) && known.add(label))
    .slice(0, most);
}

async function valuesOf(field: string, prefix: string, rank: RankValues): Promise<readonly Ranked[]> {
  const usual = findField(field)?.values;
  if (usual !== undefined) {
    return usual.filter((value) => value.startsWith(prefix)).map((value) => ({ value, count: 0 }));
  }
  return field === "auditID" ? [] : (await rank(field, prefix)).filter(({ value }) => value !== "");
}

function valueSuggestion(field: string, value: string, ranked?: Ranked): Suggestion {
  const count = ranked?.count ?? 0;
  const isNegated = value.startsWith("!");
  return {
    label: `${field}${isNegated ? " is not " : ": "}${isNegated ? value.slice(1) : value}`,
    help: count === 0 ? "" : String(count),
    filter: { field, value },
  };
}
