// Checks that the Host header exists once and is valid (RFC 9112 §3.2). Pure.
import type { IncomingMessage } from 'node:http';

/** uri-host [":" port] of RFC 3986 §3.2.2; empty if the target has no authority. */
const hostValue = /^(?:\[[\w.:%~-]*\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/** False: respond with 400. Node checks that the header exists. */
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
