/** Entry points of the package, as files beside the program: they find the binaries in Node. */
declare module "file:*";
