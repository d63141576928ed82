import { exactMatch } from "openevals-wasm";

exactMatch({ outputs: { a: 1 }, referenceOutputs: { a: 1 } }).then((result) => postMessage(result));
