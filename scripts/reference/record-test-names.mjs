// Preloaded module (`node --import`): replaces `node:test` by a recorder, so that a test file prints its tests as lines of
// JSON, `{ name, file }`, and runs none of them. `file` is the path of the module that declares the test.
import { register } from "node:module";

/** Source of the module that stands in for `node:test`. The declaring module is found on the stack. */
const recorder = `
function declaringFile() {
  const [, url] = /\\b(file:.+?):\\d+:\\d+\\)?$/m.exec(new Error().stack);
  return decodeURIComponent(new URL(url).pathname);
}
export const test = (name) => console.log(JSON.stringify({ name, file: declaringFile() }));
export const it = test;
export const describe = (name, ...rest) => rest.at(-1)();
export const suite = describe;
const ignore = () => undefined;
export { ignore as after, ignore as afterEach, ignore as before, ignore as beforeEach };
export const mock = {};
export default test;
`;

const hooks = `
export const resolve = (specifier, context, next) =>
  specifier === "node:test"
    ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(recorder)}`)}, shortCircuit: true }
    : next(specifier, context);
`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
