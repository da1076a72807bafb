import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { directImports } from "./direct-imports.mjs";

const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-direct-imports-")));
after(() => rmSync(root, { recursive: true, force: true }));

const shapes = {
  folder: join(root, "shapes"),
  manifest: { exports: { "./flat": { default: "./dist/flat/index.js" } } },
};
write(
  "shapes/dist/flat/index.js",
  '// Shapes.\nexport { circle, circle as disc } from "./circle.js";\nexport { square } from "./square/index.js";\n',
);
write(
  "shapes/dist/flat/square/index.js",
  'export { makeSquare as square } from "./make.js";\n//# sourceMappingURL=index.js.map\n',
);
write(
  "shapes/dist/registry/index.js",
  'import { circle } from "../flat/index.js";\nexport { square } from "../flat/index.js";\nregister(circle);\n',
);

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Returns what esbuild is given for a module of the package `app`, with `/` for the folder of all packages. */
function rewritten(source, external = []) {
  write("app/dist/main.js", source);
  const read = new Set();
  let load;
  const plugin = directImports(new Map([["@house/shapes", shapes]]), external, read);
  plugin.setup({
    onLoad: (_filter, callback) => {
      load = callback;
    },
  });
  const { contents } = load({ path: join(root, "app/dist/main.js") });
  return { contents: contents.replaceAll(root, ""), read: [...read].map((path) => path.slice(root.length)) };
}

test("names are imported from the modules that declare them, through several indexes", () => {
  const { contents, read } = rewritten('import { disc as round, square } from "@house/shapes/flat";\nround();\n');
  assert.equal(
    contents,
    'import { circle as round } from "/shapes/dist/flat/circle.js"; import { makeSquare as square } from "/shapes/dist/flat/square/make.js";\nround();\n',
  );
  assert.deepEqual(read, ["/shapes/dist/flat/index.js", "/shapes/dist/flat/square/index.js"]);
});

test("lines stay where they are, so that source maps stay true", () => {
  const source =
    '#!/usr/bin/env node\n/* A\n   program. */\nimport {\n  circle,\n  square,\n} from "@house/shapes/flat";\nimport fs from "node:fs";\nrun();\n';
  const { contents } = rewritten(source);
  assert.deepEqual(contents.split("\n").slice(-3), source.split("\n").slice(-3));
  assert.equal(contents.split("\n").length, source.split("\n").length);
});

test("an index that does more than to pass on, other packages and external ones are left alone", () => {
  for (const source of [
    'import { square } from "../../shapes/dist/registry/index.js";\n',
    'import { readFileSync } from "node:fs";\nimport { z } from "zod";\n',
    'import * as flat from "@house/shapes/flat";\n',
    'export { circle } from "@house/shapes/flat";\n',
  ]) {
    assert.equal(rewritten(source).contents, source);
  }
  const source = 'import { circle } from "@house/shapes/flat";\n';
  assert.equal(rewritten(source, ["@house/shapes"]).contents, source);
});

test("text that only looks like an import, behind the imports, is left alone", () => {
  const template = 'const project = `\nimport { circle } from "@house/shapes/flat";\n`;\n';
  assert.equal(rewritten(template).contents, template);
  const behind = `import { square } from "./own.js";\n${template}`;
  assert.equal(rewritten(behind).contents, behind);
  const exported = `export const project = \`\nimport shapes from "shapes";\nimport { circle } from "@house/shapes/flat";\n\`;\n`;
  assert.equal(rewritten(exported).contents, exported);
});
