import { SelectorError } from "../errors.js";
import { type LabelOperator, type LabelRequirement, labelKeyProblem, labelRequirement } from "./label-requirement.js";
import { type LabelToken, LabelTokenReader } from "./label-selector-tokens.js";

/** Parses selector text into requirements, in the order of the text. Throws SelectorError. */
export function parseLabelRequirements(text: string): LabelRequirement[] {
  const reader = new LabelTokenReader(text);
  const requirements: LabelRequirement[] = [];
  while (reader.peek().type !== "end") {
    if (!startsRequirement(reader.peek())) {
      throw unexpected(reader.peek(), "!, identifier, or 'end of string'");
    }
    requirements.push(parseRequirement(reader));
    const separator = reader.take();
    if (separator.type === "end") {
      break;
    }
    if (separator.type !== ",") {
      throw unexpected(separator, "',' or 'end of string'");
    }
    if (!startsRequirement(reader.peek())) {
      throw unexpected(reader.peek(), "identifier after ','");
    }
  }
  return requirements;
}

function startsRequirement(token: LabelToken): boolean {
  return token.type === "word" || token.type === "!";
}

function unexpected(token: LabelToken, expected: string): SelectorError {
  return new SelectorError(`found '${token.text}', expected: ${expected}`);
}

function parseRequirement(reader: LabelTokenReader): LabelRequirement {
  try {
    return parseRequirementParts(reader);
  } catch (error) {
    if (error instanceof SelectorError) {
      throw new SelectorError(`unable to parse requirement: ${error.message}`);
    }
    throw error;
  }
}

function parseRequirementParts(reader: LabelTokenReader): LabelRequirement {
  const isNegated = reader.peek().type === "!";
  if (isNegated) {
    reader.take();
  }
  const key = reader.take();
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
  if (reader.peek().type === "end" || reader.peek().type === ",") {
    return labelRequirement(key.text, "exists", []);
  }
  const operator = parseOperator(reader.take());
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

function parseValue(reader: LabelTokenReader): string {
  const token = reader.peek();
  if (token.type === "end" || token.type === ",") {
    return "";
  }
  reader.take();
  if (token.type !== "word") {
    throw unexpected(token, "identifier");
  }
  return token.text;
}

/** Parses `(x,y)`; nothing before, between or after commas is the empty value. */
function parseValues(reader: LabelTokenReader): string[] {
  const open = reader.take();
  if (open.type !== "(") {
    throw new SelectorError(`found '${open.text}' expected: '('`);
  }
  const values = new Set<string>();
  if (reader.peek().type === ")") {
    values.add("");
  } else if (reader.peek().type === "word" || reader.peek().type === ",") {
    parseValueList(reader, values);
  } else {
    throw unexpected(reader.peek(), "',', ')' or identifier");
  }
  reader.take();
  return [...values].sort();
}

/** Parses values up to the closing parenthesis. Behind two commas at a time, v1.29 wants another value. */
function parseValueList(reader: LabelTokenReader, values: Set<string>): void {
  for (;;) {
    const token = reader.take();
    const next = reader.peek();
    if (token.type === "word") {
      values.add(token.text);
      if (next.type !== "," && next.type !== ")") {
        throw unexpected(next, "',' or ')'");
      }
    } else if (token.type === ",") {
      if (values.size === 0 || next.type === "," || next.type === ")") {
        values.add("");
      }
    } else {
      throw unexpected(token, "',', or identifier");
    }
    if (next.type === ")") {
      return;
    }
    if (token.type === "," && next.type === ",") {
      reader.take();
    }
  }
}
