// The configuration with which Nitro deploys the binary beside the code, or in it.
export default {
  compatibilityDate: "2026-01-01",
  experimental: { wasm: true },
  output: { publicDir: ".public" },
};
