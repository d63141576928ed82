import { spawn } from "node:child_process";
import { say } from "../output/terminal.js";

/** Opens the address with the browser of the system, if there is one. */
export function openBrowser(url: string): void {
  const { platform } = process;
  const [program, ...args] =
    platform === "darwin" ? ["open"] : platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  spawn(program as string, [...args, url], { stdio: "ignore" }).once("error", () =>
    say("The browser could not be opened; open the address yourself."),
  );
}
