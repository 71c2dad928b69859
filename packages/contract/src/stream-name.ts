// The one grammar of app and stream names, enforced at the door of every protocol.
import { maxNameLength } from './limits.ts';

/**
 * Letters, digits, `_`, `-`, `.` and, for apps only, `/` between parts. No part is empty or starts with a dot, so a
 * name can become a path without escaping. Non-ASCII letters are allowed (`\p{L}\p{N}`): operators name streams in
 * their own language.
 */
const namePart = /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*$/u;

export function isValidStreamName(name: string): boolean {
  return name.length <= maxNameLength && namePart.test(name);
}

/** Apps may have several parts (`app/sub`). */
export function isValidAppName(app: string): boolean {
  return app.length <= maxNameLength && app.split('/').every((part) => namePart.test(part));
}
