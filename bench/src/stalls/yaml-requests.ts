import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";

const targetBytes = 2_600_000;

/** YAML that is hard to read, as bodies of creates. */
export const yamlRequests: readonly StallRequest[] = [
  yaml("6,000 aliases in 36 KB", () => `x: &a0 v\ny:\n${repeated(6000, "- *a0\n")}`),
  yaml("16,000 aliases in 80 KB", () => `x: &a v\ny:\n${repeated(16_000, "- *a\n")}`),
  yaml("a bomb of aliases, nine levels", aliasBomb),
  large("a flow list", "x: [", "1,", "]\n"),
  large("lines of a list", "x:\n", "- 1\n"),
  large("plain keys", "", "k#: v\n"),
  large("comments", "", "# c\n", "kind: ConfigMap\n"),
  large("documents", "", "---\na: 1\n"),
  large("anchors", "x:\n", "- &a# v\n"),
  large("tags", "x:\n", "- !!str v\n"),
  large("? keys", "", "? k#\n: v\n"),
  large("backslashes at line ends", 'x: "', "v\\\n  ", '"\n'),
  large("%TAG lines", "", "%TAG !t#! tag:example.com,2000:\n", "---\nkind: ConfigMap\n"),
  yaml("one block scalar of 3 MB", () => `x: |\n${repeated(44_000, `  ${"line ".repeat(13)}\n`)}`),
  yaml("one folded scalar of 3 MB", () => `x: >\n${repeated(44_000, `  ${"line ".repeat(13)}\n`)}`),
  yaml("one block scalar of 750,000 short lines", () => `x: |\n${repeated(750_000, "  v\n")}`),
  yaml("one plain scalar of 3 MB", () => `x: ${"word ".repeat(600_000)}\n`),
  yaml("one plain scalar of 600,000 lines", () => `x:\n${"  wo\n".repeat(600_000)}`),
  yaml("one quoted scalar of 3 MB", () => `x: "${"word ".repeat(600_000)}"\n`),
  yaml("one quoted scalar of 600,000 lines", () => `x: "\n${" wo\n\n".repeat(600_000)}"\n`),
  large("block scalars", "x:\n", "- |\n  v\n"),
];

function yaml(name: string, makeText: () => string): StallRequest {
  return {
    name: `YAML: ${name}`,
    prepare() {
      const body = Buffer.from(makeText());
      const path = `/api/v1/namespaces/${stallNamespace}/configmaps`;
      const headers = { "content-type": "application/yaml" };
      return (target) => target.send({ method: "POST", path, headers, body });
    },
  };
}

/** Returns a request whose body repeats `piece`, a bit smaller than the largest that is read. */
function large(name: string, start: string, piece: string, end = ""): StallRequest {
  // Numbers have six digits for the most part.
  const pieceBytes = piece.replaceAll("#", "123456").length;
  const count = Math.floor(targetBytes / pieceBytes);
  return yaml(`2.6 MB of ${name}`, () => start + repeated(count, piece) + end);
}

function aliasBomb(): string {
  const lines = [`a0: &a0 [${repeated(9, "x,")}]`];
  for (let level = 1; level < 9; level++) {
    lines.push(`a${level}: &a${level} [${repeated(9, `*a${level - 1} ,`)}]`);
  }
  return `${lines.join("\n")}\n`;
}
