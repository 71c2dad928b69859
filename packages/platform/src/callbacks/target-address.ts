// Addresses that a callback may be sent to. The operator's own service often runs on this machine or in its network, so loopback and
// private addresses are allowed; link-local ones (where clouds serve machine credentials) are not. Names are checked when connecting, so a
// changed DNS record does not bypass the check.
import { AppError, because } from '@srs-stack/contract';
import { isForbiddenHost } from '../network/guarded-lookup.ts';

/** The target as a URL. Throws `addressRefused` with the reason. */
export function parseTarget(target: string): URL {
  const url = URL.parse(target.trim());
  if (!url) throw new AppError('addressRefused', because('callback.not-a-url'));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AppError('addressRefused', because('callback.scheme'));
  }
  if (isForbiddenHost(hostOf(url))) throw new AppError('addressRefused', because('callback.special-address'));
  return url;
}

/** Host name or address without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
