// The package loads parts of itself when they are first used, which workers can in this format only.
export default { worker: { format: "es" } };
