/** Finds secrets by their names. */

/** Whether a header, a parameter or an option is secret: `x-api-key`, `accessToken`, `Set-Cookie`; not `max_tokens`. */
export const isSecretName = (name: string): boolean =>
  /(key|token|jwt|sig|sas)(?![a-z])|auth|secret|cookie|passw|credential|signature|session/i.test(
    name.replace(/[A-Z]+/g, "-$&"),
  );
