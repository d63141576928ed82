import * as text from "openevals-wasm/text";
import { readFileSync } from "node:fs";
const rows = JSON.parse(readFileSync("/tmp/textmore/rows.json","utf8")).map(([outputs, referenceOutputs])=>({outputs, referenceOutputs}));
for (const name of process.argv[2]?.split(",") ?? ["jaro","jaroWinkler","damerauLevenshtein","longestCommonSubsequence","ngramSimilarity"]) {
  let best=1e9; for (let i=0;i<(+process.env.N||12);i++){ const s=performance.now(); await text[name].batch(rows); best=Math.min(best,performance.now()-s);} 
  console.log(name.padEnd(28), best.toFixed(2),"ms");
}
