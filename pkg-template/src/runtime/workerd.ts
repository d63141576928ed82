/**
 * Cloudflare Workers, where a module cannot be compiled at run time: it is deployed with the script.
 *
 * The path is seen from `dist/`, where the file will stand, as in all files of this folder.
 */

import module from "./openevals.wasm";

export const findModule = () => module;
