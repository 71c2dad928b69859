// Which addresses a callback may be sent to. The operator's own service often runs on this machine or in its network, so
// loopback and private addresses are allowed; link-local ones (where clouds keep machine credentials) never are. Names are
// checked at the moment of connecting, so a name that changes its address gains nothing.
import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { AppError, because } from '@srs-stack/contract';
import { isForbiddenAddress } from '../services/address-rule.ts';

/** The target as a URL. Throws `addressRefused` with the reason. */
export function parseTarget(target: string): URL {
  const url = URL.parse(target.trim());
  if (!url) throw new AppError('addressRefused', because('callback.not-a-url'));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AppError('addressRefused', because('callback.scheme'));
  }
  if (isIP(hostOf(url)) && isForbiddenAddress(hostOf(url)))
    throw new AppError('addressRefused', because('callback.special-address'));
  return url;
}

/** Host name or address without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export class RefusedAddress extends Error {}

/** For `net.connect`: resolves as usual and fails when any of the addresses must not be contacted. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, options, (error, address, family) => {
    const found = typeof address === 'string' ? [address] : (address ?? []).map((each) => each.address);
    const refused = error ? undefined : found.find(isForbiddenAddress);
    const failure = refused === undefined ? error : new RefusedAddress(`${hostname} leads to ${refused}`);
    callback(failure, address as string, family);
  });
};
