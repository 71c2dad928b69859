// Checks the address of a callback target. Loopback and private addresses are allowed, because the operator's service often runs there.
// Link-local addresses, where clouds serve machine credentials, are refused. Names are checked when connecting, so a changed DNS record
// does not bypass the check.
import { AppError, because } from '@srs-stack/contract';
import { isForbiddenHost } from '../network/guarded-lookup.ts';

/** Parses the target. Throws `addressRefused` with the reason. */
export function parseTarget(target: string): URL {
  const url = URL.parse(target.trim());
  if (!url) throw new AppError('addressRefused', because('callback.not-a-url'));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AppError('addressRefused', because('callback.scheme'));
  }
  if (isForbiddenHost(hostOf(url))) throw new AppError('addressRefused', because('callback.special-address'));
  return url;
}

/** Host name, or address without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
