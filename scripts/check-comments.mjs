// Checks the words of comments in the sources of all workspaces and of the scripts. A documentation comment is read
// alone, in an editor's tooltip, so its first word must not be one that begins a clause or points elsewhere; and no
// comment may cite a paper that is not in the repository. Prints every violation and exits with 1 if there is one.
// Usage: node scripts/check-comments.mjs [ROOT]
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SyntaxKind } from "typescript/unstable/ast";
import { createScanner } from "typescript/unstable/ast/scanner";

const skippedFolders = new Set(["node_modules", "dist", "bundle", "generated", ".gatehouse"]);
const sourceFile = /\.(?:ts|mts|mjs)$/;

/** First words of a clause, or of a phrase that does not name its subject. */
const forbiddenWords = new Set(
  (
    "What Who Whom Whose Whoever Whatever Whether Where Wherever When Which Why How As If " +
    "Of In On At By For From To With Without Under Between Like Unlike Before After Since Until While Because Though " +
    "But And Or So Also Only Not Never Always It Its This That These Those There " +
    "Nothing Nobody Something Somebody Everything Everybody Anything Anybody More Other Others Longer Such Once Then " +
    "Told Asked Given"
  ).split(" "),
);

const forbiddenPhrases = [
  /^(?:The same|The one|All that)\b/,
  // A value in the place of the subject: "Undefined: no limit".
  /^(?:Undefined|Empty|False|Default)(?=[:;,.]| (?:as|after|before|for|if|in|unless|until|when|where|while|without)\b)/,
];

/** Names of papers that the project was planned with, which readers of the repository do not have. */
const absentPaper = /\b(?:SPEC|DESIGN|STYLE)\b/g;

/** Every violation under `root` as a sentence that starts with the file and line. */
export function checkComments(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return [...workspaces, "scripts"].flatMap((folder) =>
    [...sourceFiles(join(root, folder))].sort().flatMap((file) => {
      const name = relative(root, file).split(sep).join("/");
      return violationsOf(readFileSync(file, "utf8")).map(({ line, message }) => `${name}:${line}: ${message}`);
    }),
  );
}

/** The violations of one source text, each with its line. */
function violationsOf(source) {
  return commentsOf(source).flatMap(({ start, text }) => {
    const lineAt = (offset) => source.slice(0, start + offset).split("\n").length;
    const beginning = text.startsWith("/**") ? forbiddenBeginning(text) : undefined;
    return [
      ...(beginning === undefined
        ? []
        : [{ line: lineAt(0), message: `a documentation comment must name its subject first, not "${beginning}"` }]),
      ...[...text.matchAll(absentPaper)].map((match) => ({
        line: lineAt(match.index),
        message: `${match[0]} is not in the repository; cite a decision, a KEP, an RFC or the API reference`,
      })),
    ];
  });
}

function forbiddenBeginning(comment) {
  const text = comment.replace(/^\/\*\*[\s*]*/, "");
  const word = /^[A-Za-z][\w-]*/.exec(text)?.[0] ?? "";
  // A word in capitals is a name: the operator OR.
  const capitalized = word.slice(0, 1).toUpperCase() + word.slice(1);
  return forbiddenWords.has(capitalized)
    ? word
    : forbiddenPhrases.map((phrase) => phrase.exec(text.replace(/\n[\s*]*/g, " "))?.[0]).find((found) => found);
}

/** Comments of a source text as `{ start, text }`. Text inside strings, templates and regular expressions is none. */
export function commentsOf(source) {
  const scanner = createScanner(false, undefined, source);
  const comments = [];
  /** Number of open braces in each template substitution that is being read, innermost last. */
  const substitutions = [];
  let previous = SyntaxKind.Unknown;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    if (kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia) {
      comments.push({ start: scanner.getTokenStart(), text: scanner.getTokenText() });
    }
    if (kind > SyntaxKind.LastTriviaToken) {
      previous = rescanned(scanner, kind, previous, substitutions);
    }
  }
  return comments;
}

/** Returns the kind of the token at hand, read anew where only its surroundings say what a slash or a brace is. */
function rescanned(scanner, kind, previous, substitutions) {
  switch (kind) {
    case SyntaxKind.SlashToken:
    case SyntaxKind.SlashEqualsToken:
      return endsOperand(previous) ? kind : scanner.reScanSlashToken();
    case SyntaxKind.ExclamationToken:
      // After an operand it asserts that there is a value, and the operand goes on.
      return endsOperand(previous) ? previous : kind;
    case SyntaxKind.TemplateHead:
      substitutions.push(0);
      return kind;
    case SyntaxKind.OpenBraceToken:
      substitutions.push((substitutions.pop() ?? 0) + 1);
      return kind;
    case SyntaxKind.CloseBraceToken: {
      const open = substitutions.pop() ?? 0;
      if (open > 0) {
        substitutions.push(open - 1);
        return kind;
      }
      const rest = scanner.reScanTemplateToken(false);
      if (rest === SyntaxKind.TemplateMiddle) {
        substitutions.push(0);
      }
      return rest;
    }
    default:
      return afterDot.has(previous) && kind <= SyntaxKind.LastKeyword ? SyntaxKind.Identifier : kind;
  }
}

const afterDot = new Set([SyntaxKind.DotToken, SyntaxKind.QuestionDotToken]);

const operandEnds = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.PlusPlusToken,
  SyntaxKind.MinusMinusToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.SuperKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
]);

/** Keywords that are no reserved words, and yet never stand before a division. */
const operators = new Set([SyntaxKind.OfKeyword, SyntaxKind.AwaitKeyword]);

/** Reports whether a slash after the token divides. Words that are keywords only in places (`type`) are names. */
function endsOperand(kind) {
  return (
    operandEnds.has(kind) ||
    (kind > SyntaxKind.LastFutureReservedWord && kind <= SyntaxKind.LastKeyword && !operators.has(kind))
  );
}

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) {
      yield* sourceFiles(path);
    } else if (entry.isFile() && sourceFile.test(entry.name) && !/\.d\.m?ts$/.test(entry.name)) {
      yield path;
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const violations = checkComments(resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "..")));
  for (const violation of violations) {
    console.error(violation);
  }
  console.log(violations.length === 0 ? "comments: ok" : `comments: ${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
