import { spawn } from "node:child_process";

/** A program that has not failed by then shows the page. */
const failsWithinMs = 1500;

/** Opens the address in the person's browser; resolves to whether a program was found that does. */
export async function openBrowser(address: URL, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const [command, ...args] = opener(platform);
  return await new Promise((resolve) => {
    // Without a shell, and away from our standard output, which is for the answer.
    const child = spawn(command, [...args, address.href], { stdio: "ignore", detached: true });
    const settle = (opened: boolean): void => {
      clearTimeout(timer);
      child.unref();
      resolve(opened);
    };
    const timer = setTimeout(() => settle(true), failsWithinMs);
    child.once("error", () => settle(false));
    child.once("exit", (code) => settle(code === 0));
  });
}

function opener(platform: NodeJS.Platform): readonly [string, ...string[]] {
  switch (platform) {
    case "darwin":
      return ["open"];
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler"];
    default:
      return ["xdg-open"];
  }
}
