/** The measurements of a call in a process. */

const WARM_MS = 300; // enough for the compilers of JavaScript and WebAssembly to finish

/** The result of the last call. Results are kept here, so that no compiler can remove the calls. */
let latest;

/** Warms the call up, and answers how many milliseconds it takes. */
export async function warmedUp(call) {
  for (let calls = 1, spent = 0; ; ) {
    const { value } = await timed(call, calls);
    spent += calls * value;
    if (spent >= WARM_MS) return value;
    if (calls * value < WARM_MS / 20) calls *= 2;
  }
}

/** Milliseconds per call, and the answer of the last one. */
export async function timed(call, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const result = call();
    latest = result instanceof Promise ? await result : result; // immediate results are not awaited
  }
  return { value: (performance.now() - start) / calls, answer: latest };
}

/** Bytes that are in use while the result of a call is held, beyond those before it. */
export async function kept(call) {
  latest = undefined;
  const before = bytesInUse();
  latest = await call();
  return { value: bytesInUse() - before, answer: latest };
}

/** The most memory that the process has had. */
export async function peak(call) {
  latest = await call();
  return { value: process.resourceUsage().maxRSS * 1024, answer: latest };
}

function bytesInUse() {
  globalThis.gc(); // there with --expose-gc
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
