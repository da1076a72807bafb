/** Characters for which an entry counts beside those of its text. */
const charactersOfEntry = 64;

/**
 * Memo of what has been made of texts that others choose, as peers do with names of headers. It forgets everything when its
 * texts have too many characters: what is used again is made again, and nobody can fill it for good.
 */
export class TextMemo<T> {
  readonly #maxCharacters: number;
  readonly #values = new Map<string, T>();
  #characters = 0;

  /** `maxCharacters`: bound of the characters of all texts, of which one text may have a sixteenth. */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  get(text: string): T | undefined {
    return this.#values.get(text);
  }

  /** Keeps what has been made of a text, unless the text is too long. Returns it. */
  keep(text: string, value: T): T {
    if (text.length * 16 <= this.#maxCharacters) {
      if (!this.#values.has(text)) {
        this.#makeRoom(text.length + charactersOfEntry);
      }
      this.#values.set(text, value);
    }
    return value;
  }

  #makeRoom(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.#maxCharacters) {
      this.#values.clear();
      this.#characters = characters;
    }
  }
}
