import http from "node:http";
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
const keys = ["correcthorsebatterystaple", "co_abcdefghijklmnopqrst", "co_Ab-Cd_EfGhIjKl.MnOp", "passwordpassword", "horse/battery+staple==", "Täglich-grüßt"]; 
const forms = { plain: k=>k, json: k=>JSON.stringify(k).slice(1,-1), uni: k=>[...k].map(c=>"\\u"+c.charCodeAt(0).toString(16).padStart(4,"0")).join(""), url: k=>encodeURIComponent(k), url2: k=>[...Buffer.from(k)].map(b=>"%"+b.toString(16)).join(""), b64: k=>Buffer.from(k).toString("base64"), b64url: k=>Buffer.from(k).toString("base64url"), b64colon: k=>Buffer.from(k+":").toString("base64"), b64user: k=>Buffer.from("user:"+k).toString("base64"), bearer64: k=>Buffer.from("Bearer "+k).toString("base64"), upper: k=>k.toUpperCase(), rev: k=>k, cut: k=>k.slice(0,-3), hex: k=>Buffer.from(k).toString("hex"), html: k=>[...k].map(c=>`&#${c.charCodeAt(0)};`).join("") };
let say = "";
const server = http.createServer((req, res) => { req.resume(); res.writeHead(401, {"content-type":"application/json"}); res.end(JSON.stringify({ error: { message: say, type: "x" } })); }).listen(0);
await new Promise(r => server.once("listening", r));
const base = `http://localhost:${server.address().port}`;
const models = ["openai:gpt-5", "anthropic:claude-sonnet-4-5", "google-genai:gemini-2.5-pro", "cohere:command-a", "azure:gpt", "mistralai:m"];
const how = {
  apiKey: (m, k) => initChatModel(m, { apiKey: k, baseURL: base, maxRetries: 0 }),
  fn: (m, k) => initChatModel(m, { apiKey: async () => k, baseURL: base, maxRetries: 0 }),
  header: (m, k) => initChatModel(m, { apiKey: "abcd1234abcd1234", headers: { "x-custom": k }, baseURL: base, maxRetries: 0 }),
  query: (m, k) => initChatModel(m, { apiKey: "abcd1234abcd1234", baseURL: `${base}/v1?token=${encodeURIComponent(k)}`, maxRetries: 0 }),
  user: (m, k) => initChatModel(m, { apiKey: "abcd1234abcd1234", baseURL: base.replace("//", `//u:${encodeURIComponent(k)}@`), maxRetries: 0 }),
};
for (const m of models) for (const [h, make] of Object.entries(how)) for (const k of keys) for (const [f, form] of Object.entries(forms)) {
  say = `Bad key <${form(k)}> here`;
  try { const model = await make(m, k); await createLLMAsJudge({ prompt: "{outputs}", judge: model })({ outputs: "a" }); console.log(m, h, "NO ERROR"); }
  catch (e) { const t = e.message + JSON.stringify(e.cause ?? ""); if (!/redacted/.test(t) || t.includes(form(k))) console.log(m, h, k, f, t.slice(0, 160)); }
}
server.close();
