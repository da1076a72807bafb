/** A file of systemd: what each section sets, in order. */
export interface UnitFile {
  /** Every value of a setting; an empty one stands where the file takes back those before. */
  all(section: string, name: string): readonly string[];
  /** The last one. */
  value(section: string, name: string): string | undefined;
}

/** Reads unit files that count together: the unit, and what is dropped in. Throws for a line that is none. */
export function readUnitFile(...texts: readonly string[]): UnitFile {
  const settings: (readonly [section: string, name: string, value: string])[] = [];
  for (const text of texts) {
    let section = "";
    // A backslash joins lines (systemd.syntax(7)).
    for (const line of text.replace(/\\\n\s*/g, "").split("\n")) {
      const [, header] = /^\[(\w+)\]$/.exec(line) ?? [];
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (header !== undefined) {
        section = header;
      } else if (name !== undefined && value !== undefined) {
        settings.push([section, name, value]);
      } else if (!/^(#.*)?$/.test(line)) {
        throw new Error(`no line of a unit file: ${line}`);
      }
    }
  }
  const all = (section: string, name: string): string[] =>
    settings.filter((setting) => setting[0] === section && setting[1] === name).map(([, , value]) => value);
  return { all, value: (section, name) => all(section, name).at(-1) };
}
