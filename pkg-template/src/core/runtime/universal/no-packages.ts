/** Replaces `load-package` in bundles for browsers and in React Native. */
export async function loadPackage(name: string): Promise<unknown> {
  throw new Error(
    `${name} cannot be imported by its name in a page; pass the module where the option takes one`,
  );
}
