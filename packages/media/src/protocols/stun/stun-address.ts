// XOR-MAPPED-ADDRESS (RFC 8489 §14.2): the source address of a request, XORed with cookie and transaction id, so that NATs do not rewrite
// the address.
//
//   | 0 (8) | family (8) | port (16), XORed | address (32 or 128), XORed |
import { ProtocolError } from '../../protocol-error.ts';
import { stunCookie } from './stun-format.ts';

/** Source address of a datagram, from the socket. */
export interface StunAddress {
  readonly ip: string;
  readonly port: number;
}

const ipv4Family = 1;
const ipv6Family = 2;
/** Prefix of an IPv4 peer's address on a dual-stack socket (RFC 4291 §2.5.5.2). */
const mappedPrefix = '::ffff:';

/** Whether the peer uses IPv4, also on a dual-stack socket with mapped addresses. The peer expects the IPv4 form. */
function isIpv4(ip: string): boolean {
  return ip.includes('.') && (!ip.includes(':') || ip.startsWith(mappedPrefix));
}

/** Size of the attribute's value, bytes (RFC 8489 §14.2). */
export function xorAddressBytes({ ip }: StunAddress): number {
  return isIpv4(ip) ? 8 : 20;
}

/** Writes the value of the attribute. `message` must already contain the transaction id. */
export function writeXorAddress(message: Buffer, offset: number, { ip, port }: StunAddress): void {
  message[offset] = 0;
  message.writeUInt16BE(port ^ (stunCookie >>> 16), offset + 2);
  if (isIpv4(ip)) {
    message[offset + 1] = ipv4Family;
    writeIpv4(message, offset + 4, ip);
  } else {
    message[offset + 1] = ipv6Family;
    writeIpv6(message, offset + 4, ip);
  }
  // Cookie and transaction id are adjacent in the header, so the mask is contiguous.
  const bytes = xorAddressBytes({ ip, port }) - 4;
  for (let index = 0; index < bytes; index++) message[offset + 4 + index]! ^= message[4 + index]!;
}

function writeIpv4(target: Buffer, offset: number, ip: string): void {
  const parts = (ip.startsWith(mappedPrefix) ? ip.slice(mappedPrefix.length) : ip).split('.');
  for (let index = 0; index < 4; index++) target[offset + index] = Number(parts[index]);
}

/** `::` replaces missing zeros. `%` starts the name of a local network interface (RFC 4007 §11). */
function writeIpv6(target: Buffer, offset: number, ip: string): void {
  const [head = '', tail] = ip.split('%')[0]!.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  target.fill(0, offset, offset + 16);
  first.forEach((group, index) => {
    target.writeUInt16BE(Number.parseInt(group, 16), offset + index * 2);
  });
  last.forEach((group, index) => {
    target.writeUInt16BE(Number.parseInt(group, 16), offset + 16 - (last.length - index) * 2);
  });
}

/** Parses the attribute value from `start` to `end`. Throws ProtocolError for an unknown address family. */
export function readXorAddress(message: Buffer, start: number, end: number): StunAddress {
  const family = message[start + 1];
  const isWhole = (family === ipv4Family && end - start === 8) || (family === ipv6Family && end - start === 20);
  if (!isWhole) throw new ProtocolError('stun', 'unknown address family', start);
  const port = message.readUInt16BE(start + 2) ^ (stunCookie >>> 16);
  const address = Buffer.from(message.subarray(start + 4, end));
  for (let index = 0; index < address.length; index++) address[index]! ^= message[4 + index]!;
  if (family === ipv4Family) return { ip: address.join('.'), port };
  const groups = Array.from({ length: 8 }, (_, index) => address.readUInt16BE(index * 2).toString(16));
  return { ip: new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1), port };
}
