/**
 * Cloudflare Workers, where a module cannot be compiled at run time: it is deployed with the script.
 *
 * The path is seen from `dist/`, where the file will stand, as in all files of these folders.
 */

import module from "./openevals.wasm";

export const find = () => module;
