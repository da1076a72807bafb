import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { skip, startBrowser } from "./console.test.support.js";
import { openState, type StateSinks, startSinks, states } from "./console-states.test.support.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Leaves only the first rows of the table: rows are alike, and axe goes through all that a page has for each rule. */
async function keepRows(page: Page, count: number): Promise<void> {
  await page.evaluate(
    `document.querySelectorAll("#rows tr:nth-child(n + ${count + 1})").forEach((row) => row.remove())`,
  );
}

/** Violations of all rules, or of some, as texts. */
async function violationsOf(page: Page, rules: readonly string[]): Promise<readonly string[]> {
  const options = { resultTypes: ["violations"], ...(rules.length === 0 ? {} : { runOnly: rules }) };
  const run = `axe.run(${JSON.stringify(options)})`;
  const { violations } = (await page.evaluate(run)) as {
    violations: readonly { id: string; help: string; nodes: readonly { html: string; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary}`),
  );
}

describe("the console for everybody", { skip }, () => {
  let sinks: StateSinks;
  let browser: Browser;

  before(async () => {
    sinks = await startSinks();
    browser = await startBrowser();
  });

  after(async () => {
    await browser?.close();
    await sinks?.[Symbol.asyncDispose]();
  });

  for (const name of Object.keys(states)) {
    test(`axe finds nothing wrong in the state "${name}", wide and narrow, light and dark`, async () => {
      // Opened at each width: which lists are folded is decided when the page is loaded.
      for (const width of [1280, 390]) {
        await using state = await openState(browser, sinks, name, width);
        const { page } = state;
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
        // The page's policy forbids scripts of others. The browser itself may run one in it.
        await page.evaluate(axe);
        await keepRows(page, name === "events" ? 11 : 3);
        assert.deepEqual(await violationsOf(page, []), [], `${width} light`);
        await page.emulateMedia({ colorScheme: "dark" });
        // Nothing else differs.
        assert.deepEqual(await violationsOf(page, ["color-contrast"]), [], `${width} dark`);
      }
    });
  }

  test("the Tab key reaches every control that is seen, and each shows that it has the focus", async () => {
    await using state = await openState(browser, sinks, "filtered", 1280);
    const { page } = state;
    const wanted = new Set(
      (await page.evaluate(
        `[...document.querySelectorAll("button, input, a[href], [tabindex='0']")]
          .filter((each) => each.checkVisibility() && each.tabIndex >= 0).map((each, n) => (each.dataset.walk = String(n)))`,
      )) as readonly string[],
    );
    assert.ok(wanted.size > 25, String(wanted.size));
    await page.evaluate("document.activeElement?.blur()");
    const mostSteps = 2 * wanted.size;
    for (let step = 0; step < mostSteps && wanted.size > 0; step++) {
      await page.keyboard.press("Tab");
      const [walk, isMarked] = (await page.evaluate(`(() => {
        const at = document.activeElement;
        const box = at.closest(".filter-box input") === null ? at : at.closest(".filter-box");
        const { outlineStyle, boxShadow } = getComputedStyle(box);
        return [at.dataset.walk, outlineStyle !== "none" || boxShadow !== "none"];
      })()`)) as [string | undefined, boolean];
      if (walk !== undefined) {
        assert.ok(isMarked, await page.evaluate<string>("document.activeElement.outerHTML"));
        wanted.delete(walk);
      }
    }
    const missed = [...wanted].map((walk) => `document.querySelector("[data-walk='${walk}']").outerHTML`);
    assert.deepEqual(await page.evaluate(`[${missed.join(",")}]`), []);
  });

  test("the arrow keys go through the rows and their links, and Enter follows a link", async () => {
    await using state = await openState(browser, sinks, "events", 1280);
    const { page } = state;
    await page.locator("#rows tr").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const place = "[...document.querySelectorAll('#rows tr')].indexOf(document.activeElement.closest('tr'))";
    assert.equal(await page.evaluate(place), 2);
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate("document.activeElement.dataset.field"), "namespace");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate("document.activeElement.dataset.field"), "user");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(place), 3);
    await page.keyboard.press("ArrowRight");
    const namespace = await page.evaluate("document.activeElement.dataset.value");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/console/#namespace=${String(namespace)}`);
  });

  test("menus open, are gone through and close by keyboard, and give the focus back", async () => {
    await using state = await openState(browser, sinks, "events", 1280);
    const { page } = state;
    for (const id of ["period", "queries", "export"]) {
      await page.locator(`#${id}`).focus();
      await page.keyboard.press("Enter");
      assert.equal(await page.locator(`#${id}-menu`).isVisible(), true);
      assert.equal(await page.evaluate(`document.querySelector("#${id}-menu").contains(document.activeElement)`), true);
      await page.keyboard.press("Escape");
      assert.equal(await page.locator(`#${id}-menu`).isVisible(), false);
      assert.equal(await page.evaluate("document.activeElement.id"), id);
    }
  });
});
