import { tablesOfFile } from "./check-structure.js";
import { isWhole } from "./checksum.js";
import { dataFileProblem } from "./data-file.js";
import {
  decodeState,
  formatKey,
  formatVersion,
  formerFormatVersion,
  historyKeyLength,
  logHeaderBytes,
  readInteger,
  type StoreState,
  stateKey,
} from "./layout.js";
import { PageFile, type TreeRoot } from "./page-file.js";
import { walkTree } from "./walk-tree.js";

/** A key whose data is damaged. */
export interface DamagedKey {
  readonly key: string;
  /** The version that is damaged; undefined when it is unknown. */
  readonly revision: number | undefined;
  readonly detail: string;
}

/** The whole and the damaged parts of a data file. */
export interface DataReport {
  /** The state of the store; undefined when its record is damaged. */
  readonly state: StoreState | undefined;
  readonly wholeKeys: number;
  /** Bytes of the records of the whole keys. */
  readonly wholeBytes: number;
  readonly damagedKeys: readonly DamagedKey[];
  /** Problems of the other parts of the file: trees, and records of former versions. One sentence each. */
  readonly problems: readonly string[];
  /** True if another process has written while the file was read, so that reported damage may be none. */
  readonly wasWritten: boolean;
}

/** Largest number of reported problems; a file may have millions. */
const maxProblems = 200;

/**
 * Reads every page and every record of a data file, without LMDB and without changing anything. Answers a sentence when
 * there is nothing to be read.
 */
export function checkData(path: string): DataReport | string {
  const problem = dataFileProblem(path);
  if (problem !== undefined) {
    return problem;
  }
  using file = new PageFile(path);
  return new DataCheck(file).run();
}

class DataCheck {
  readonly #file: PageFile;
  readonly #problems: string[] = [];
  /** The key of each whole first record of a revision, and the record's length. */
  readonly #log = new Map<number, { readonly key: string; readonly bytes: number }>();
  /** The lengths of further records of a revision, by revision and key. */
  readonly #further = new Map<string, number>();
  /** Damaged log records that no key has been found for. */
  readonly #damagedRevisions = new Set<number>();
  readonly #damagedKeys: DamagedKey[] = [];
  #wholeKeys = 0;
  #wholeBytes = 0;
  #tables: ReadonlyMap<string, TreeRoot> = new Map();

  constructor(file: PageFile) {
    this.#file = file;
  }

  run(): DataReport | string {
    const { transaction, free, main } = this.#file.state();
    walkTree(
      this.#file,
      free,
      { problem: (what) => this.#problem(`in the list of free pages ${what}`) },
      { hasNumericKeys: true },
    );
    this.#tables = tablesOfFile(this.#file, main, (what) => this.#problem(what));
    const meta = new Map<string, Buffer>();
    this.#walk("meta", (key, value) => value !== undefined && meta.set(key.toString(), Buffer.from(value)));
    const format = meta.get(formatKey.toString())?.toString();
    if (format !== undefined && format !== String(formatVersion) && format !== String(formerFormatVersion)) {
      return `it has another data format than ${formatVersion}, the one that this version knows`;
    }
    const state = meta.get(stateKey.toString());
    const isStateWhole = state !== undefined && isWhole(state, 0);
    if (!isStateWhole) {
      this.#problem("the record of the newest revision is not whole");
    }
    this.#walk("log", (key, value) => this.#logRecord(key, value));
    this.#walk("keys", (key, value) => this.#key(key, value));
    this.#walk("history", (key, value) => this.#history(key, value));
    this.#walk("expiry", () => {});
    if (format === String(formatVersion)) {
      this.#walk("leases", (_, value) => this.#lease(value));
      this.#walk("leased", () => {});
    }
    for (const revision of this.#damagedRevisions) {
      this.#problem(`the record of the former change ${revision} does not match its checksum`);
    }
    return {
      state: isStateWhole ? decodeState(state) : undefined,
      wholeKeys: this.#wholeKeys,
      wholeBytes: this.#wholeBytes,
      damagedKeys: this.#damagedKeys,
      problems: this.#problems,
      wasWritten: this.#file.state().transaction !== transaction,
    };
  }

  #walk(name: string, entry: (key: Buffer, value: Buffer | undefined) => void): void {
    const root = this.#tables.get(name);
    const problem = (what: string): void => this.#problem(`in the table "${name}" ${what}`);
    if (root === undefined) {
      this.#problem(`there is no table "${name}"`);
    } else {
      walkTree(this.#file, root, { entry, problem }, { readValues: true });
    }
  }

  #logRecord(key: Buffer, record: Buffer | undefined): void {
    const revision = key.length >= 8 ? readInteger(key, 0) : 0;
    if (record === undefined || !isWhole(record, revision)) {
      this.#damagedRevisions.add(revision);
      return;
    }
    const keyLength = record.readUInt16BE(17);
    if (key.length > 8) {
      this.#further.set(`${revision} ${key.toString("utf8", 8)}`, record.length);
      return;
    }
    this.#log.set(revision, {
      key: record.toString("utf8", logHeaderBytes, logHeaderBytes + keyLength),
      bytes: record.length,
    });
  }

  #key(keyBytes: Buffer, head: Buffer | undefined): void {
    const key = keyBytes.toString();
    if (head === undefined || !isWhole(head, 0)) {
      this.#damagedKeys.push({ key, revision: undefined, detail: "its head does not match its checksum" });
      return;
    }
    const revision = readInteger(head, 0);
    const record = this.#log.get(revision);
    const bytes = record?.key === key ? record.bytes : this.#further.get(`${revision} ${key}`);
    if (bytes !== undefined) {
      this.#wholeKeys++;
      this.#wholeBytes += bytes;
      return;
    }
    const isDamaged = this.#damagedRevisions.delete(revision);
    const detail = isDamaged ? "the record does not match its checksum" : "the log has no such record";
    this.#damagedKeys.push({ key, revision, detail });
  }

  #history(historyKey: Buffer, value: Buffer | undefined): void {
    if (value === undefined || !isWhole(value, 0)) {
      const key = historyKey.toString("utf8", 0, historyKeyLength(historyKey));
      this.#problem(`the history of ${JSON.stringify(key)} does not match its checksum`);
    }
  }

  #lease(value: Buffer | undefined): void {
    if (value === undefined || !isWhole(value, 0)) {
      this.#problem("the record of a lease does not match its checksum");
    }
  }

  #problem(what: string): void {
    if (this.#problems.length < maxProblems) {
      this.#problems.push(what);
    }
  }
}
