/** Verifies signatures of AWS (Signature Version 4), written from its documentation alone. */
import { createHash, createHmac } from "node:crypto";
import type { Recorded } from "./loopback.js";

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** Characters that are encoded: all but the unreserved ones of RFC 3986. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The problem of the signature of a request, in the words of AWS. */
export function signatureProblem(
  { method, path, headers, text }: Recorded,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  region: string,
): string | undefined {
  const [, key, day, ownRegion, service, signed = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (!key) return "Missing Authentication Token";
  if (key !== accessKeyId) return `The security token included in the request is invalid: ${key}`;
  if (headers["x-amz-security-token"] !== sessionToken)
    return `The security token included in the request is invalid: ${headers["x-amz-security-token"]}`;
  if (ownRegion !== region) return `Credential should be scoped to a valid region: ${ownRegion}`;
  if (service !== "bedrock")
    return `Credential should be scoped to correct service: 'bedrock', not ${service}`;
  const time = String(headers["x-amz-date"]);
  const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!time.startsWith(String(day)) || !(Math.abs(Date.now() - at) < 300_000))
    return `Signature expired: ${time} is now earlier than it may be`;
  const names = signed.split(";");
  const needed = ["host", "x-amz-date", ...(sessionToken ? ["x-amz-security-token"] : [])];
  if (!needed.every((name) => names.includes(name)) || String([...names].sort()) !== String(names))
    return `'${needed}' must be signed, and in order`;
  const [pathname = "", query = ""] = path.split("?");
  const canonical = [
    method,
    // As it was sent, which is encoded already: all services but S3 encode it once more.
    pathname.split("/").map(encoded).join("/"),
    query.split("&").sort().join("&"),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, " ")}`),
    "",
    signed,
    sha256(text),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const signing = [String(day), region, service, "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  );
  if (hmac(signing, toSign).toString("hex") === signature) return undefined;
  // AWS also shows the signed text.
  return `The request signature we calculated does not match the signature you provided. The canonical string is:\n${canonical}`;
}
