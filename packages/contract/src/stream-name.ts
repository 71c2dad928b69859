// The grammar of app and stream names, enforced by every protocol.
import { maxNameBytes, maxNameLength } from './limits.ts';

/**
 * Letters, digits, `_`, `-` and `.`; app names may also contain `/` between parts. A part is neither empty nor starts with a dot, so a name
 * is a safe path without escaping. Non-ASCII letters are allowed, because operators name streams in their own language.
 */
const namePart = /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*$/u;

/**
 * Extensions of files that the server writes or serves beside a stream. An app part with one of these extensions could be a folder at the
 * path of a file.
 */
const fileSuffix = /\.(?:m3u8|ts|m4s|mp4|flv|aac|mp3|tmp|part|json|jpe?g|vtt)$/i;

const utf8 = new TextEncoder();
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const maxUnitBytes = 3;

/** The number of UTF-8 bytes is limited too, as in file systems. */
export function isValidStreamName(name: string): boolean {
  return name.length <= maxNameLength && isNamePart(name);
}

/** An app may have several parts (`app/sub`). No part ends with a file extension. */
export function isValidAppName(app: string): boolean {
  return app.length <= maxNameLength && app.split('/').every((part) => isNamePart(part) && !fileSuffix.test(part));
}

function isNamePart(part: string): boolean {
  const fits = part.length * maxUnitBytes <= maxNameBytes || utf8.encode(part).length <= maxNameBytes;
  return fits && namePart.test(part);
}
