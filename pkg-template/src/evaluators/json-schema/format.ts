/** The formats of JSON Schema, checked in linear time. */

type Fits = (text: string) => boolean;

const fits =
  (expression: RegExp): Fits =>
  (text) =>
    expression.test(text);

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Whether labels consist of letters, digits and hyphens. Punycode (`xn--`) is not decoded. */
function isHostname(text: string): boolean {
  return (
    text.length <= 253 && text.split(".").every((label) => LABEL.test(label) && !/^(?!xn)..--/i.test(label))
  );
}

function isIPv4(text: string): boolean {
  const numbers = text.split(".");
  return (
    numbers.length === 4 && numbers.every((number) => /^(?:0|[1-9]\d{0,2})$/.test(number) && +number < 256)
  );
}

function isIPv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half ? half.split(":") : []));
  const last = groups.at(-1);
  const endsInIPv4 = last?.includes(".") && !text.endsWith("::");
  if (endsInIPv4 && !isIPv4(groups.pop() as string)) return false;
  const count = groups.length + (endsInIPv4 ? 2 : 0);
  return groups.every(fits(/^[\da-f]{1,4}$/i)) && (halves.length === 2 ? count < 8 : count === 8);
}

function isDate(text: string): boolean {
  const [, year, month, day] = (text.match(/^(\d{4})-(\d\d)-(\d\d)$/) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

function isTime(text: string): boolean {
  const parts = text.match(/^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i);
  if (!parts) return false;
  const [hours = 0, minutes = 0, seconds = 0, , offHours = 0, offMinutes = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 60 || offHours > 23 || offMinutes > 59) return false;
  // A leap second is only valid at the end of a UTC day.
  const offset = (offHours * 60 + offMinutes) * (parts[4] === "-" ? -1 : 1);
  return seconds < 60 || (hours * 60 + minutes - offset + 2880) % 1440 === 1439;
}

function isEmail(text: string, isHost: Fits, atom: RegExp): boolean {
  const at = text.lastIndexOf("@");
  const [user, host] = [text.slice(0, at), text.slice(at + 1)];
  const address = host.match(/^\[(IPv6:)?(.*)\]$/i);
  const isHostValid = address ? (address[1] ? isIPv6 : isIPv4)(address[2] as string) : isHost(host);
  const isQuoted = /^"(?:[^"\\\n\r]|\\.)*"$/.test(user);
  return at > 0 && isHostValid && (isQuoted || user.split(".").every(fits(atom)));
}

/** Matches URI characters, those in `more`, and percent-encoded bytes. */
const uriPart = (more: string): RegExp =>
  new RegExp(`^(?:[\\w.~!$&'()*+,;=:@/${more}-]|%[\\da-f]{2})*$`, "iu");

/** Whether a text is a URI, or with `more` characters, an IRI. */
function isUri(text: string, isAbsolute: boolean, more = ""): boolean {
  const [, scheme, authority, path = "", query = "", fragment = ""] =
    text.match(/^(?:([^:/?#]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s) ?? [];
  if (scheme === undefined ? isAbsolute : !/^[a-z][a-z\d+.-]*$/i.test(scheme)) return false;
  const [, user = "", literal, name = ""] =
    authority?.match(/^(?:([^@]*)@)?(?:\[([^\]]*)\]|([^:@[\]]*))(?::\d*)?$/) ?? [];
  if (authority && !user && literal === undefined && !name && !/^:\d*$/.test(authority)) return false;
  if (literal !== undefined && !isIPv6(literal) && !/^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(literal))
    return false;
  const part = uriPart(more);
  // The expression above leaves no slash in the user and the name.
  return [user, name, path].every(fits(part)) && [query, fragment].every(fits(uriPart(`?${more}`)));
}

/** The additional characters of IRIs. */
const BEYOND_ASCII = "\\u{A0}-\\u{D7FF}\\u{E000}-\\u{10FFFF}";

const TIME = String.raw`T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`;
const DAYS = String.raw`(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)`;
const VARIABLE = String.raw`(?:\w|%[\da-f]{2})(?:\.?(?:\w|%[\da-f]{2}))*(?:\*|:[1-9]\d{0,3})?`;
const POINTER = String.raw`(?:\/(?:[^~/]|~[01])*)*`;

/** Unknown formats are ignored; `undefined` marks formats that cannot be checked. */
export const FORMATS: Readonly<Record<string, Fits | undefined>> = {
  date: isDate,
  time: isTime,
  "date-time": (text) => {
    const [date = "", time = "", ...more] = text.split(/t/i);
    return more.length === 0 && isDate(date) && isTime(time);
  },
  duration: fits(new RegExp(`^P(?:\\d+W|${DAYS}(?:${TIME})?|${TIME})$`)),
  email: (text) => isEmail(text, isHostname, /^[\w!#$%&'*+/=?^`{|}~-]+$/),
  "idn-email": (text) =>
    isEmail(text, fits(/^[^\s@.]+(?:\.[^\s@.]+)*$/), /^(?:[\w!#$%&'*+/=?^`{|}~-]|[^\0-\x7f])+$/),
  hostname: isHostname,
  "idn-hostname": undefined,
  ipv4: isIPv4,
  ipv6: isIPv6,
  uri: (text) => isUri(text, true),
  "uri-reference": (text) => isUri(text, false),
  iri: (text) => isUri(text, true, BEYOND_ASCII),
  "iri-reference": (text) => isUri(text, false, BEYOND_ASCII),
  "uri-template": fits(
    new RegExp(
      `^(?:[^\\0-\\x20"<>%\\\\^\`{|}\\x7f]|%[\\da-f]{2}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`,
      "iu",
    ),
  ),
  "json-pointer": fits(new RegExp(`^${POINTER}$`)),
  "relative-json-pointer": fits(new RegExp(`^(?:0|[1-9]\\d*)(?:#|${POINTER})$`)),
  regex: (text) => {
    try {
      new RegExp(text, "u");
      return true;
    } catch {
      return false;
    }
  },
  uuid: fits(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i),
};
