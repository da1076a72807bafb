/** Words of the expression language, which cannot be names of fields. */
const reservedWords: ReadonlySet<string> = new Set([
  ...[
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
  ],
  ...["loop", "package", "namespace", "return", "var", "void", "while"],
]);

const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/**
 * Returns the name by which expressions read a property: `__namespace__` for `namespace`, `a__dash__b` for `a-b`.
 * Undefined: no expression can name it.
 */
export function escapedName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][\w./-]*$/.test(property)) {
    return undefined;
  }
  return reservedWords.has(property)
    ? `__${property}__`
    : property.replace(/__|[-./]/g, (character) => escapes[character] as string);
}
