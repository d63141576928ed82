import { exactMatch } from "openevals-wasm";

export default defineEventHandler(() => exactMatch({ outputs: { a: 1 }, referenceOutputs: { a: 1 } }));
