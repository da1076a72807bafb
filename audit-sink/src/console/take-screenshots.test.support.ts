// Takes a picture of every state of the console, at two widths, light and dark, for people to look at. Usage, after a
// build: npm run screenshots -w @gatehouse/audit-sink -- FOLDER [STATE ...]
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { startBrowser } from "./console.test.support.js";
import { openState, startSinks, states } from "./console-states.test.support.js";

const [folder = "", ...names] = process.argv.slice(2);
const unknown = names.filter((name) => !(name in states));
if (folder === "" || unknown.length > 0) {
  console.error(`usage: npm run screenshots -w @gatehouse/audit-sink -- FOLDER [STATE ...]`);
  console.error(`states: ${Object.keys(states).join(", ")}`);
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
await using sinks = await startSinks();
for (const name of names.length === 0 ? Object.keys(states) : names) {
  for (const width of [1280, 390]) {
    await using state = await openState(browser, sinks, name, width);
    for (const colorScheme of ["light", "dark"] as const) {
      await state.page.emulateMedia({ colorScheme });
      await state.page.screenshot({ path: resolve(folder, `${name}-${width}-${colorScheme}.png`) });
    }
  }
}
await browser.close();
