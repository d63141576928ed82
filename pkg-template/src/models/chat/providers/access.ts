/** Access to models with keys from a function or with signed requests. Loaded on use. */

import { jsonOf } from "../../../core/engine/crossing.js";
import { callbackFailed, invalidConfig, OpenEvalsError } from "../../../core/errors.js";
import { SecretsReader } from "../../../core/input/secrets/secrets.js";
import { loadPackage } from "../../../core/platform/packages.js";
import type { Access } from "../../../openevals-judges.types.js";
import {
  type AwsCredentials,
  type AwsSigner,
  checkBrowser,
  checkedKey,
  fromEnvironment,
  type KeyOptions,
  keyHeaders,
} from "./key.js";
import type { Provider } from "./types.js";

/** The settings that the access to a model depends on. */
interface AccessOptions {
  /** `provider:model`. */
  model: string;
  provider: Provider;
  options: KeyOptions & { fetch?: Access["fetch"] | undefined; baseURL?: string | undefined };
  /** The AWS region. */
  region(): string;
}

type HeaderRecord = Record<string, string>;

/** Adds the headers of the access to a request. */
type Admit = (
  url: string,
  init: { headers: HeaderRecord; body: string },
) => HeaderRecord | Promise<HeaderRecord>;

/** The access for one question and all its attempts. */
export async function openAccess(asked: AccessOptions): Promise<Access> {
  const { apiKey, fetch: send = globalThis.fetch } = asked.options;
  const reader = new SecretsReader();
  const admit =
    typeof apiKey === "function"
      ? await admitByKey(asked, apiKey, reader)
      : await admitBySignature(asked, reader);
  const { secrets, private: words } = reader.found;
  return {
    fetch: async (url, init) => send(url, { ...init, headers: await admit(url, init) }),
    secrets: jsonOf(secrets),
    private: jsonOf(words),
  };
}

/** Access by the key that a function provides. */
async function admitByKey(
  { provider, options }: AccessOptions,
  apiKey: () => unknown,
  reader: SecretsReader,
): Promise<Admit> {
  let key: string | undefined;
  try {
    key = checkedKey((await apiKey()) ?? "", options.dangerouslyAllowBrowser);
  } catch (thrown) {
    throw callbackFailed("apiKey", thrown);
  }
  if (!key) throw callbackFailed("apiKey", new TypeError("it returned no key"));
  reader.value("key", key);
  const own = keyHeaders(provider, key);
  return (_url, { headers }) => ({ ...own, ...headers });
}

/** Access by signature. Each attempt is signed again, because a signature expires within minutes. */
async function admitBySignature(asked: AccessOptions, reader: SecretsReader): Promise<Admit> {
  const { options } = asked;
  const credentials = await credentialsOf(options);
  if (!credentials) {
    // The caller's proxy signs.
    if (options.baseURL !== undefined) return (_url, { headers }) => headers;
    throw invalidConfig(
      `${asked.model} needs a key or credentials: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and ` +
        "AWS_SECRET_ACCESS_KEY, in the environment, or pass apiKey or credentials",
    );
  }
  checkBrowser(options.dangerouslyAllowBrowser);
  for (const secret of Object.values(credentials)) if (secret) reader.value("key", secret);
  const Signer = options.signer ?? (await loadSigner("aws4fetch")).AwsV4Signer;
  const region = asked.region();
  return async (url, { headers, body }) => {
    const request = { ...credentials, url, method: "POST", headers, body, service: "bedrock", region };
    return Object.fromEntries((await new Signer(request).sign()).headers);
  };
}

async function credentialsOf({ credentials }: KeyOptions): Promise<AwsCredentials | undefined> {
  const [accessKeyId, secretAccessKey, sessionToken] = [
    "ACCESS_KEY_ID",
    "SECRET_ACCESS_KEY",
    "SESSION_TOKEN",
  ].map((name) => fromEnvironment([`AWS_${name}`]));
  if (credentials === undefined)
    return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : undefined;
  if (typeof credentials !== "function") return checkedCredentials(credentials);
  try {
    return checkedCredentials(await credentials());
  } catch (thrown) {
    throw callbackFailed("credentials", thrown);
  }
}

/** Checks credentials. Those of the AWS SDK have more fields, such as an expiry date. */
function checkedCredentials(credentials: Partial<AwsCredentials> | undefined): AwsCredentials {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials ?? {};
  const isText = (value: unknown) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
  if (![accessKeyId, secretAccessKey, sessionToken ?? "-"].every(isText))
    throw invalidConfig(
      "credentials need the strings accessKeyId and secretAccessKey, and may have the string sessionToken",
    );
  return { accessKeyId, secretAccessKey, sessionToken } as AwsCredentials;
}

async function loadSigner(name: string): Promise<{ AwsV4Signer: AwsSigner }> {
  try {
    return (await loadPackage(name)) as { AwsV4Signer: AwsSigner };
  } catch (cause) {
    throw new OpenEvalsError(
      "invalid_config",
      `Requests to Amazon Bedrock are signed by the package ${name}, which could not be loaded. Install it (npm install ` +
        `${name}), pass its class AwsV4Signer as the option signer, or use a Bedrock API key (AWS_BEARER_TOKEN_BEDROCK).`,
      { cause },
    );
  }
}
