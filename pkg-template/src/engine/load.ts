/** The engine that scores rows. */

import { bind } from "../openevals.js";
import type { Engine } from "./engine.js";
import { Loader } from "./loader.js";
import { scores } from "./sources.js";

const loader = new Loader(scores, bind);

/** The engine, if there is one: spares the hot evaluators a turn of the event loop. Only good until the next `await`. */
export const loadedEngine = (): Engine | undefined => loader.loaded;

/** The engine; see {@link Loader.load}. */
export const loadEngine = (): Promise<Engine> => loader.load();
