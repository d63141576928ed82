/** Names for what is long: hashes, which tell nothing of it. */

import { OpenEvalsError } from "../../../core/errors.js";
import { TextEncoder } from "../../../core/platform/text-coding.js";

/** 40 hexadecimal digits: fit for an id in any batch. */
export async function digest(text: string): Promise<string> {
  const { subtle } = crypto;
  if (!subtle) {
    throw new OpenEvalsError("invalid_config", "Batches need a hash, which this runtime does not have.");
  }
  const hash = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(hash.subarray(0, 20), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
