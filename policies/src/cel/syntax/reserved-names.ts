/** Names that no variable and no function may have. Fields may. */
export const reservedNames: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " ",
  ),
);
