import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const skippedFolders = new Set(["node_modules", "dist", "bundle", "generated", ".git", ".gatehouse"]);

/** Documents whose code spans name paths of a reader's own project. Their links are checked like all others. */
const aboutOtherProjects = /^docs\/(?:guides|reference)\//;

/** Code spans that name a folder, a source file, or anything below the sources of a workspace. */
const pathOfSource = /\/$|\.(?:ts|mjs|proto|css)$|^[\w-]+\/src\//;

/** The npm name `gatehouse` is taken: without a local program of that name, npx would run what its owner publishes. */
const strangersPackage = /\bnpx (?:-y |--yes )?gatehouse(?![\w-])/g;

/**
 * Returns every reference of the repository's documents that leads nowhere, as `file:line: message`: links to files and
 * headings, and paths of files and folders in code spans. A path in a code span (`verbs/`, `open-audit.ts`) is found when
 * it is the end of a path of the repository; `<name>` and `*` stand for any name. Also reports commands that would run
 * the npm package `gatehouse`, which is not ours.
 */
export function brokenReferences(root) {
  const paths = [...pathsBelow(root, root)];
  const ends = endsOf(paths);
  const documents = paths.filter((path) => /^(?:docs\/.+|[^/]+\/README|README)\.md$/.test(path));
  return documents.flatMap((document) => {
    const whole = readFileSync(join(root, document), "utf8");
    const text = whole.replace(/^```.*?^```$/gms, blank);
    const namesPath = (span) => !aboutOtherProjects.test(document) && pathOfSource.test(span);
    return [
      ...[...whole.matchAll(strangersPackage)].map((match) => [match.index, `somebody else's package: ${match[0]}`]),
      ...[...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => [match.index, linkProblem(root, document, match[1])]),
      ...[...text.matchAll(/`([\w.@<>*-]+(?:\/[\w.@<>*-]+)*\/?)`/g)]
        .filter(([, span]) => namesPath(span))
        .map((match) => [match.index, ends.has(match[1]) ? undefined : `no such path: ${match[1]}`]),
    ]
      .filter(([, problem]) => problem !== undefined)
      .map(([index, problem]) => `${document}:${whole.slice(0, index).split("\n").length}: ${problem}`);
  });
}

/** Code blocks are no references, and their lines count. */
const blank = (block) => block.replace(/[^\n]/g, " ");

/** Every end of a path, from one of its segments on; of folders with a slash at the end, too. */
function endsOf(paths) {
  const all = new Set();
  for (const path of paths) {
    const segments = path.replace(/\/$/, "").split("/");
    for (let from = 0; from < segments.length; from++) {
      const end = segments.slice(from).join("/");
      all.add(end);
      if (path.endsWith("/")) {
        all.add(`${end}/`);
      }
    }
  }
  const patterns = new Map();
  const matchesPattern = (path) => {
    const pattern = new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/<[^>]*>|\*/g, "[^/]+")}$`);
    return [...all].some((end) => pattern.test(end));
  };
  return {
    has(path) {
      if (!/[<*]/.test(path)) {
        return all.has(path);
      }
      if (!patterns.has(path)) {
        patterns.set(path, matchesPattern(path));
      }
      return patterns.get(path);
    },
  };
}

function linkProblem(root, document, link) {
  if (/^[a-z]+:/.test(link)) {
    return undefined;
  }
  const [path, anchor] = link.split("#");
  const target = path === "" ? join(root, document) : resolve(root, dirname(document), path);
  if (!existsSync(target)) {
    return `no such file: ${link}`;
  }
  return anchor === undefined || statSync(target).isDirectory() || anchorsOf(readFileSync(target, "utf8")).has(anchor)
    ? undefined
    : `no such heading: ${link}`;
}

/** Anchors that GitHub gives the headings of a document. */
function anchorsOf(markdown) {
  const headings = [...markdown.replace(/^```.*?^```$/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, title]) => title);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Paths of files, and of folders with a slash at the end, relative to the root and with `/` between segments. */
function* pathsBelow(root, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = relative(root, path).split(sep).join("/");
    if (!entry.isDirectory()) {
      yield name;
    } else if (!skippedFolders.has(entry.name)) {
      yield `${name}/`;
      yield* pathsBelow(root, path);
    }
  }
}
