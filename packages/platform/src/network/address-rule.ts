// Addresses that workers, callbacks and object storage may contact. Private and loopback addresses are allowed, because operators have
// servers in their network. Link-local addresses are refused, because clouds serve metadata there.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { AppError, because, forbiddenNetworks, unmappedAddress } from '@srs-stack/contract';

/** Timeout of name resolution, milliseconds. */
const lookupTimeoutMs = 5_000;

export const pushSchemes = ['rtmp', 'rtmps', 'srt'] as const;
export const pullSchemes = ['rtmp', 'rtmps', 'rtsp', 'http', 'https', 'srt'] as const;

const forbidden = new BlockList();
for (const [network, prefix, family] of forbiddenNetworks) forbidden.addSubnet(network, prefix, family);

/** True for addresses that never have a streaming server: link-local, metadata, multicast, unspecified. */
export function isForbiddenAddress(ip: string): boolean {
  const plain = unmappedAddress(ip);
  return forbidden.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/**
 * Returns scheme, host and port of an address. Throws `addressRefused` for a scheme that is not allowed, control characters, spaces, a
 * missing host, a forbidden literal address, and an SRT mode other than caller.
 */
export function checkAddress(
  address: string,
  schemes: readonly string[],
): { scheme: string; host: string; port: string } {
  if (/[\s\p{Cc}]/u.test(address)) throw new AppError('addressRefused', because('address.spaces'));
  const parts = /^([a-z][a-z0-9]*):\/\/(?:[^/?#]*@)?(\[[0-9a-f:.]+\]|[^/?#:@[\]]+)(?::(\d{1,5}))?(?=[/?#]|$)/i.exec(
    address,
  );
  const scheme = parts?.[1]?.toLowerCase() ?? '';
  if (!schemes.includes(scheme))
    throw new AppError('addressRefused', because('address.scheme', { schemes: `${schemes.join('://, ')}://` }));
  const host = parts?.[2]?.replace(/^\[|\]$/g, '') ?? '';
  if (isIP(host) && isForbiddenAddress(host))
    throw new AppError('addressRefused', because('address.never-contacted', { host }));
  if (scheme === 'srt' && /[?&]mode=(?!caller(?:&|$))/i.test(address))
    throw new AppError('addressRefused', because('address.srt-listens'));
  return { scheme, host, port: parts?.[3] ?? '' };
}

export type HostVerdict = 'allowed' | 'forbidden' | 'unknown';

/** Resolves and checks the host. Call before every start, because DNS records change. */
export async function judgeHost(host: string): Promise<HostVerdict> {
  const giveUp = AbortSignal.timeout(lookupTimeoutMs);
  const gaveUp = new Promise<undefined>((resolve) => giveUp.addEventListener('abort', () => resolve(undefined)));
  const found = await Promise.race([lookup(host, { all: true }).catch(() => undefined), gaveUp]);
  if (!found || found.length === 0) return 'unknown';
  return found.some(({ address }) => isForbiddenAddress(address)) ? 'forbidden' : 'allowed';
}
