/** A piece of selector text. Everything that is not an operator is a word, `in` and `notin` included. */
export interface LabelToken {
  readonly type: "word" | "end" | "operator" | "!" | "," | "(" | ")";
  readonly text: string;
}

const symbols = "=!(),><";
const whitespace = " \t\r\n";

/** Cuts label selector text into tokens, the last of which is `end`. A NUL character ends the text. */
export function tokenizeLabelSelector(selector: string): LabelToken[] {
  const end = selector.indexOf("\0");
  const text = end < 0 ? selector : selector.slice(0, end);
  const tokens: LabelToken[] = [];
  let position = 0;
  while (position < text.length) {
    const character = text.charAt(position);
    if (whitespace.includes(character)) {
      position++;
      continue;
    }
    const token = symbols.includes(character) ? symbolAt(text, position) : wordAt(text, position);
    tokens.push(token);
    position += token.text.length;
  }
  tokens.push({ type: "end", text: "" });
  return tokens;
}

function symbolAt(text: string, position: number): LabelToken {
  const two = text.slice(position, position + 2);
  if (two === "==" || two === "!=") {
    return { type: "operator", text: two };
  }
  const one = text.charAt(position);
  switch (one) {
    case "!":
    case ",":
    case "(":
    case ")":
      return { type: one, text: one };
    default:
      return { type: "operator", text: one };
  }
}

function wordAt(text: string, position: number): LabelToken {
  let end = position + 1;
  while (end < text.length && !symbols.includes(text.charAt(end)) && !whitespace.includes(text.charAt(end))) {
    end++;
  }
  return { type: "word", text: text.slice(position, end) };
}
