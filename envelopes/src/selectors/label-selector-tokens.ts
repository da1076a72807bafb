/** A piece of selector text. Everything that is not an operator is a word, `in` and `notin` included. */
export interface LabelToken {
  readonly type: "word" | "end" | "operator" | "!" | "," | "(" | ")";
  readonly text: string;
}

const endToken: LabelToken = { type: "end", text: "" };
const fixedTokens: ReadonlyMap<string, LabelToken> = new Map(
  [
    ...(["!", ",", "(", ")"] as const).map((text): LabelToken => ({ type: text, text })),
    ...["==", "!=", "=", ">", "<"].map((text): LabelToken => ({ type: "operator", text })),
  ].map((token) => [token.text, token]),
);

/**
 * Cuts label selector text into tokens, one at a time. As in v1.29, a NUL character right behind a token is left out, and ends
 * the text elsewhere.
 */
export class LabelTokenReader {
  readonly #text: string;
  // Symbols, or a word: with the spaces before, they cover every character but NUL.
  readonly #piece = /[ \t\r\n]*(==|!=|[=!(),><]|[^=!(),>< \t\r\n\0]+)\0?/y;
  #next: LabelToken | undefined;

  constructor(selector: string) {
    this.#text = selector;
  }

  /** Returns the next token without taking it; `end` once there are no more. */
  peek(): LabelToken {
    this.#next ??= this.#read();
    return this.#next;
  }

  take(): LabelToken {
    const token = this.peek();
    this.#next = token === endToken ? token : undefined;
    return token;
  }

  #read(): LabelToken {
    const text = this.#piece.exec(this.#text)?.[1];
    return text === undefined ? endToken : (fixedTokens.get(text) ?? { type: "word", text });
  }
}
