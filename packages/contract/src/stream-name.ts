// The one grammar of app and stream names, enforced at the door of every protocol.
import { maxNameBytes, maxNameLength } from './limits.ts';

/**
 * Letters, digits, `_`, `-`, `.` and, for apps only, `/` between parts. No part is empty or starts with a dot, so a
 * name can become a path without escaping. Non-ASCII letters are allowed (`\p{L}\p{N}`): operators name streams in
 * their own language.
 */
const namePart = /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*$/u;

/**
 * What files are called that are written or served beside a stream: segments, playlists, recordings and what players ask
 * for. A part of an app would be a folder in the place of such a file.
 */
const fileSuffix = /\.(?:m3u8|ts|m4s|mp4|flv|aac|mp3|tmp|part|json|jpe?g|vtt)$/i;

const utf8 = new TextEncoder();

/** Also measured in bytes, as a file system does. */
export function isValidStreamName(name: string): boolean {
  return name.length <= maxNameLength && isNamePart(name);
}

/** Apps may have several parts (`app/sub`), none of which ends like a file. */
export function isValidAppName(app: string): boolean {
  return app.length <= maxNameLength && app.split('/').every((part) => isNamePart(part) && !fileSuffix.test(part));
}

function isNamePart(part: string): boolean {
  return namePart.test(part) && utf8.encode(part).length <= maxNameBytes;
}
