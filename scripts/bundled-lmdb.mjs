// A plugin of esbuild that puts lmdb into a bundle: to find, to compile and to run its modules and those that it imports took
// 20 ms of processor time of each start. Its native part stays where npm has installed it. msgpackr, the
// encoder that lmdb has for values which are no bytes, is left out: it has a native part of its own, and takes longer to load
// than all the rest.
import { readFileSync } from "node:fs";

const leftOut = "left-out";

/** Refuses the encoding that lmdb takes by default, where a caller names no other one. */
const msgpackr = `export class Encoder {
  constructor() {
    throw new TypeError('a database of lmdb has the encoding "binary" in this program');
  }
}
`;

export const bundledLmdb = {
  name: "bundled-lmdb",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^msgpackr$/ }, ({ path }) => ({ path, namespace: leftOut }));
    onLoad({ filter: /^msgpackr$/, namespace: leftOut }, () => ({ contents: msgpackr }));
    // The native part is looked for from the place of the package, not from that of the bundle.
    onLoad({ filter: /\/node_modules\/lmdb\/[^/]+\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll("import.meta.url", 'import.meta.resolve("lmdb")'),
      loader: "js",
    }));
  },
};

/** Reports whether a path among the inputs of a build stands for a module that is left out. */
export const isLeftOut = (path) => path.startsWith(`${leftOut}:`);
