/**
 * The supported runtimes. `packages` are the tests' dependencies whose versions the guide lists; `by` names a
 * substitute, and `tested` describes a test without a package.
 */
export const RUNTIMES = [
  {
    where: "Node, as ES modules and CommonJS",
    since: "20",
    packages: ["node20", "node22", "node24"],
    loading: "the file beside the package's JavaScript",
  },
  { where: "Bun", since: "1", packages: ["bun"], loading: "the same" },
  {
    where: "Deno",
    since: "2",
    packages: ["deno"],
    loading: "the file with read permission, else an embedded copy: no permission is asked for",
  },
  {
    where: "browsers",
    since: "Chrome and Edge 96, Firefox 113, Safari 16.4",
    tested: "Chromium",
    loading: "fetched from beside the JavaScript, else the embedded copy",
  },
  {
    where: "Vite",
    since: "7",
    packages: ["vite"],
    loading: "as in browsers; bundlers move the embedded copy along as its own chunk",
  },
  { where: "webpack", since: "5", packages: ["webpack"], loading: "the same" },
  { where: "Rspack", since: "1", packages: ["@rspack/core"], loading: "the same" },
  { where: "esbuild", since: "current", packages: ["esbuild"], loading: "the same" },
  {
    where: "Cloudflare Workers",
    since: "compatibility date 2025-01-01",
    by: "miniflare",
    packages: ["miniflare"],
    loading: "imported as a module by the `workerd` entries",
  },
  {
    where: "Vercel Edge",
    since: "current",
    by: "@edge-runtime/vm",
    packages: ["@edge-runtime/vm"],
    loading: "imported as a module by the `edge-light` entries",
  },
  {
    where: "Next.js, with Turbopack and webpack",
    since: "16",
    packages: ["next"],
    loading: "as in Node; the `edge-light` entries in edge routes",
  },
  { where: "SvelteKit, for Node", since: "2", packages: ["@sveltejs/kit"], loading: "as in Node" },
  {
    where: "Nitro (Nuxt) for Cloudflare and Netlify",
    since: "2",
    packages: ["nitropack"],
    loading: "with `experimental: { wasm: true }`",
  },
  {
    where: "Metro (Expo for the web; React Native without the engine)",
    since: "0.83",
    packages: ["metro"],
    loading: "the embedded copy",
  },
  {
    where: "workers and extensions of one script",
    since: "",
    tested: "a Worker, a service worker",
    loading: "`openevals-wasm/single`: the engine is part of the script",
  },
  {
    where: "anywhere else with WebAssembly",
    since: "",
    tested: "Node, a page, an Edge function",
    loading: "`openevals-wasm/slim`: call `init(bytesOrModule)`",
  },
];
