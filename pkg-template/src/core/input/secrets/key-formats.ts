/** The beginnings of keys and tokens: texts are searched for them, and they decide how a key is sent. */

/** Whether a text is an API key of Google. */
export const isGoogleKey = (text: string): boolean => /^(?:AIza|AQ\.)/.test(text);

/** Whether a text is a token of Entra, Google or Anthropic, which is sent as bearer token. */
export const isToken = (text: string): boolean => /^(?:eyJ|ya29\.|sk-ant-oat)/.test(text);

/** Whether a text is a key or a token in a known format, or follows the name of its scheme. */
export const isCredential = (text: string): boolean =>
  isGoogleKey(text) ||
  isToken(text) ||
  /^(?:[Bb]earer|[Bb]asic)\s|^(?:sk|pk|rk|csk|gsk|xai|hf|fw|r8|tgp|pplx|nvapi|lsv2|tvly|npm|glpat|do[opr]_v1|github_pat|gh[a-z]|xox[a-z])[-_]|^(?:AKIA|SG\.)/.test(
    text,
  );
