import { type LabelOperator, type LabelRequirement, labelKeyProblem, labelRequirement } from "./label-requirement.js";
import { type LabelToken, tokenizeLabelSelector } from "./label-selector-tokens.js";
import { SelectorError } from "./selector-error.js";

/** Parses selector text into requirements, in the order of the text. Throws SelectorError. */
export function parseLabelRequirements(text: string): LabelRequirement[] {
  const reader: TokenReader = { tokens: tokenizeLabelSelector(text), position: 0 };
  const requirements: LabelRequirement[] = [];
  while (peek(reader).type !== "end") {
    if (!startsRequirement(peek(reader))) {
      throw unexpected(peek(reader), "!, identifier, or 'end of string'");
    }
    requirements.push(parseRequirement(reader));
    const separator = take(reader);
    if (separator.type === "end") {
      break;
    }
    if (separator.type !== ",") {
      throw unexpected(separator, "',' or 'end of string'");
    }
    if (!startsRequirement(peek(reader))) {
      throw unexpected(peek(reader), "identifier after ','");
    }
  }
  return requirements;
}

interface TokenReader {
  readonly tokens: readonly LabelToken[];
  position: number;
}

const endToken: LabelToken = { type: "end", text: "" };

function peek(reader: TokenReader): LabelToken {
  return reader.tokens[reader.position] ?? endToken;
}

function take(reader: TokenReader): LabelToken {
  const token = peek(reader);
  reader.position++;
  return token;
}

function startsRequirement(token: LabelToken): boolean {
  return token.type === "word" || token.type === "!";
}

function unexpected(token: LabelToken, expected: string): SelectorError {
  return new SelectorError(`found '${token.text}', expected: ${expected}`);
}

function parseRequirement(reader: TokenReader): LabelRequirement {
  try {
    return parseRequirementParts(reader);
  } catch (error) {
    if (error instanceof SelectorError) {
      throw new SelectorError(`unable to parse requirement: ${error.message}`);
    }
    throw error;
  }
}

function parseRequirementParts(reader: TokenReader): LabelRequirement {
  const isNegated = peek(reader).type === "!";
  if (isNegated) {
    take(reader);
  }
  const key = take(reader);
  if (key.type !== "word") {
    throw unexpected(key, "identifier");
  }
  const problem = labelKeyProblem(key.text);
  if (problem !== undefined) {
    // The empty path of the parser shows in the message.
    throw new SelectorError(`<nil>: ${problem}`);
  }
  if (isNegated) {
    return labelRequirement(key.text, "!", []);
  }
  if (peek(reader).type === "end" || peek(reader).type === ",") {
    return labelRequirement(key.text, "exists", []);
  }
  const operator = parseOperator(take(reader));
  const values = operator === "in" || operator === "notin" ? parseValues(reader) : [parseValue(reader)];
  return labelRequirement(key.text, operator, values);
}

function parseOperator(token: LabelToken): LabelOperator {
  switch (token.text) {
    case "in":
    case "notin":
    case "=":
    case "==":
    case "!=":
      return token.text;
    case ">":
      return "gt";
    case "<":
      return "lt";
    default:
      throw unexpected(token, "in, notin, =, ==, !=, gt, lt");
  }
}

function parseValue(reader: TokenReader): string {
  const token = peek(reader);
  if (token.type === "end" || token.type === ",") {
    return "";
  }
  take(reader);
  if (token.type !== "word") {
    throw unexpected(token, "identifier");
  }
  return token.text;
}

/** `(x,y)`; nothing before, between or after commas is the empty value. */
function parseValues(reader: TokenReader): string[] {
  const open = take(reader);
  if (open.type !== "(") {
    throw new SelectorError(`found '${open.text}' expected: '('`);
  }
  const values = new Set<string>();
  if (peek(reader).type === ")") {
    values.add("");
  } else if (peek(reader).type === "word" || peek(reader).type === ",") {
    parseValueList(reader, values);
  } else {
    throw unexpected(peek(reader), "',', ')' or identifier");
  }
  take(reader);
  return [...values].sort();
}

function parseValueList(reader: TokenReader, values: Set<string>): void {
  while (peek(reader).type !== ")") {
    const token = take(reader);
    const next = peek(reader);
    if (token.type === "word") {
      values.add(token.text);
      if (next.type !== "," && next.type !== ")") {
        throw unexpected(next, "',' or ')'");
      }
    } else if (token.type === ",") {
      if (values.size === 0 || next.type === "," || next.type === ")") {
        values.add("");
      }
      if (next.type === ",") {
        take(reader);
      }
    } else {
      throw unexpected(token, "',', or identifier");
    }
  }
}
