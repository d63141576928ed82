/** Stands in for `@e2b/code-interpreter`, whose sandboxes need a key: a folder on this machine. */
import { LocalSandbox } from "../code/local-sandbox.ts";

export class Sandbox extends LocalSandbox {
  static async create(): Promise<Sandbox> {
    return new Sandbox();
  }

  async kill(): Promise<void> {
    this.remove();
  }
}
