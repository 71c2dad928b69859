// Validates domain names for a public certificate authority.
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { AppError, because, maxDomainLength } from '@srs-stack/contract';

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const mailAddress = /^[^\s@<>,;"]{1,64}@[^\s@<>,;"]+\.[^\s@<>,;".]+$/;

/** The domain in lower case and in ASCII form. Throws `domainInvalid` with the reason. */
export function toCertificateDomain(text: string): string {
  const given = text.trim().replace(/\.$/, '');
  if (given === '') throw new AppError('domainInvalid', because('domain.empty'));
  if (/[/:?#@]/.test(given)) throw new AppError('domainInvalid', because('domain.host-only'));
  if (given.includes('*')) throw new AppError('domainInvalid', because('domain.wildcard'));
  const domain = domainToASCII(given);
  if (isIP(domain)) throw new AppError('domainInvalid', because('domain.is-an-address'));
  const labels = domain.split('.');
  const isName = domain.length <= maxDomainLength && labels.every((each) => label.test(each));
  if (!isName) throw new AppError('domainInvalid', because('domain.not-a-host'));
  if (labels.length < 2 || /^\d+$/.test(labels.at(-1) ?? ''))
    throw new AppError('domainInvalid', because('domain.not-public'));
  return domain;
}

/** Returns the trimmed address, which may be empty. Throws `invalidRequest`. */
export function toContactAddress(text: string): string {
  const email = text.trim();
  if (email !== '' && !mailAddress.test(email)) throw new AppError('invalidRequest', because('certificate.email'));
  return email;
}
