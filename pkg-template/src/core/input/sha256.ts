import { invalidConfig } from "../errors.js";
import { TextEncoder } from "../platform/text-coding.js";

/**
 * The SHA-256 of a text, as 64 hexadecimal digits.
 *
 * @param what The feature that needs it, for the error.
 * @throws {@link OpenEvalsError} `invalid_config` where `crypto.subtle` is missing: on pages that are not served over HTTPS.
 */
export async function sha256(text: string, what: string): Promise<string> {
  const { subtle } = crypto;
  if (!subtle) {
    throw invalidConfig(
      `${what} needs crypto.subtle, which browsers provide only over HTTPS. Serve the page over HTTPS`,
    );
  }
  const hash = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The first 40 hexadecimal digits of a SHA-256, which fit in the ids of all batch APIs. */
export const digest = async (text: string, what: string): Promise<string> =>
  (await sha256(text, what)).slice(0, 40);
