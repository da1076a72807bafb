import type { Alias, Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { JsonObject, JsonValue } from "../json.js";
import { DecodeError } from "./decode-error.js";
import { setKey } from "./object-plan.js";
import { resolvePlainScalar } from "./yaml-scalar.js";

export interface ParsedYaml {
  readonly value: JsonValue;
  /** Paths of keys given twice, `spec.replicas`; the last one counts. */
  readonly duplicateFields: readonly string[];
  /** What v1.29 reports of them: `line 4: key "replicas" already set in map`. */
  readonly duplicateKeys: readonly string[];
}

/** Nodes that aliases may add to a document, so that a few lines cannot unfold into gigabytes. */
const maxAliasedNodes = 100_000;
/** Of open brackets and indented blocks. The library recurses, and exhausting the stack can end the process. */
const maxDepth = 400;
const maxDuplicates = 100;

/**
 * Parses the first document of a YAML text as sigs.k8s.io/yaml does: YAML 1.1 booleans, keys as text, anchors and merge
 * keys resolved. Throws DecodeError. The parser is loaded when it is first needed, hence the promise.
 */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  const yaml = await import("yaml");
  const document = firstDocument(yaml, text);
  if (document === undefined) {
    return { value: null, duplicateFields: [], duplicateKeys: [] };
  }
  const problem = document.errors[0];
  if (problem !== undefined) {
    const line = text.slice(0, problem.pos[0]).split("\n").length;
    throw new DecodeError(`yaml: line ${line}: ${problem.message}`);
  }
  return new Converter(yaml, document, text).convert();
}

/** Go reads the first document and no further. Undefined when there is none. */
function firstDocument(yaml: YamlModule, text: string): Document.Parsed | undefined {
  const parser = new yaml.Parser();
  const tokens: Parameters<InstanceType<YamlModule["Composer"]>["next"]>[0][] = [];
  for (const lexeme of new yaml.Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    // The parser keeps its own stack and copes with any depth; what comes after it does not.
    if (parser.stack.length > maxDepth) {
      throw new DecodeError("yaml: exceeded max depth");
    }
  }
  tokens.push(...parser.end());
  // Only structure and text are wanted of the library: `failsafe` leaves every scalar as it was written.
  const composer = new yaml.Composer({ schema: "failsafe", uniqueKeys: false, merge: false, logLevel: "silent" });
  for (const document of composer.compose(tokens)) {
    return document as Document.Parsed;
  }
  return undefined;
}

type YamlModule = typeof import("yaml");

class Converter {
  readonly #yaml: YamlModule;
  readonly #document: Document.Parsed;
  readonly #text: string;
  readonly #duplicateFields = new Set<string>();
  readonly #duplicateKeys: string[] = [];
  #aliasedNodes = 0;
  #insideAlias = 0;

  constructor(yaml: YamlModule, document: Document.Parsed, text: string) {
    this.#yaml = yaml;
    this.#document = document;
    this.#text = text;
  }

  convert(): ParsedYaml {
    const value = this.#value(this.#document.contents, "", 0);
    return { value, duplicateFields: [...this.#duplicateFields], duplicateKeys: this.#duplicateKeys };
  }

  #value(node: Node | null, path: string, depth: number): JsonValue {
    if (depth > maxDepth) {
      throw new DecodeError("yaml: exceeded max depth");
    }
    if (this.#insideAlias > 0 && ++this.#aliasedNodes > maxAliasedNodes) {
      throw new DecodeError("yaml: document contains excessive aliasing");
    }
    if (this.#yaml.isMap(node)) {
      return this.#map(node, path, depth);
    }
    if (this.#yaml.isSeq(node)) {
      return this.#list(node, path, depth);
    }
    if (this.#yaml.isAlias(node)) {
      return this.#alias(node, path, depth);
    }
    return this.#yaml.isScalar(node) ? this.#scalar(node) : null;
  }

  #list(node: YAMLSeq, path: string, depth: number): JsonValue {
    return node.items.map((item, index) => this.#value(item as Node | null, `${path}[${index}]`, depth + 1));
  }

  #map(node: YAMLMap, path: string, depth: number): JsonObject {
    const out: JsonObject = {};
    const seen = new Set<string>();
    const merged: JsonObject[] = [];
    for (const pair of node.items as Pair<Node | null, Node | null>[]) {
      if (this.#isMergeKey(pair.key)) {
        merged.push(...this.#mergeSources(pair.value, path, depth));
        continue;
      }
      const key = this.#key(pair.key);
      const keyPath = path === "" ? key : `${path}.${key}`;
      if (seen.has(key)) {
        this.#reportDuplicate(keyPath, key, pair.key);
      }
      seen.add(key);
      setKey(out, key, this.#value(pair.value, keyPath, depth + 1));
    }
    for (const source of merged) {
      for (const key of Object.keys(source)) {
        if (!seen.has(key)) {
          seen.add(key);
          setKey(out, key, source[key] as JsonValue);
        }
      }
    }
    return out;
  }

  #isMergeKey(key: Node | null): boolean {
    return this.#yaml.isScalar(key) && key.source === "<<" && key.type === "PLAIN";
  }

  #mergeSources(node: Node | null, path: string, depth: number): JsonObject[] {
    const value = this.#value(node, path, depth + 1);
    const sources = Array.isArray(value) ? value : [value];
    return sources.map((source) => {
      if (typeof source !== "object" || source === null || Array.isArray(source)) {
        throw new DecodeError("yaml: map merge requires map or sequence of maps as the value");
      }
      return source;
    });
  }

  /** JSON knows only text as keys. */
  #key(node: Node | null): string {
    const key = this.#yaml.isAlias(node)
      ? this.#alias(node, "", 0)
      : this.#yaml.isScalar(node)
        ? this.#scalar(node)
        : null;
    switch (typeof key) {
      case "string":
        return key;
      case "number":
      case "bigint":
      case "boolean":
        return String(key);
      default:
        throw new DecodeError("unsupported map key");
    }
  }

  #alias(node: Alias, path: string, depth: number): JsonValue {
    const target = node.resolve(this.#document);
    if (target === undefined) {
      throw new DecodeError(`yaml: unknown anchor '${node.source}' referenced`);
    }
    this.#insideAlias++;
    const value = this.#value(target, path, depth + 1);
    this.#insideAlias--;
    return value;
  }

  #scalar(node: Scalar): JsonValue {
    const text = String(node.value ?? "");
    const tag = node.tag?.replace("tag:yaml.org,2002:", "");
    if (tag === "binary") {
      return Buffer.from(text, "base64").toString("utf8");
    }
    if (tag === undefined ? node.type !== "PLAIN" : tag === "!" || tag === "str") {
      return text;
    }
    const value = resolvePlainScalar(text);
    if (value === undefined) {
      throw new DecodeError(`json: unsupported value: ${text}`);
    }
    return value;
  }

  #reportDuplicate(path: string, key: string, node: Node | null): void {
    if (this.#duplicateKeys.length >= maxDuplicates) {
      return;
    }
    const offset = node?.range?.[0] ?? 0;
    const line = this.#text.slice(0, offset).split("\n").length;
    this.#duplicateFields.add(path);
    this.#duplicateKeys.push(`line ${line}: key ${JSON.stringify(key)} already set in map`);
  }
}
