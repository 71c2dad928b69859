// Checks that a request does not have an invalid Host header, or several Host headers (RFC 9112 §3.2). Pure.
import type { IncomingMessage } from 'node:http';

/** uri-host [":" port] of RFC 3986 §3.2.2; empty for a target without an authority. */
const hostValue = /^(?:\[[\w.:%~-]*\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/** Respond with 400 when this returns false. Returns true without a Host header. */
export function hasClearHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let count = 0;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    count += 1;
    if (count > 1 || !hostValue.test(rawHeaders[at + 1] as string)) return false;
  }
  return true;
}
