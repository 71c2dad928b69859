// Checks a certificate and key before they replace the current pair: format, match, dates, chain, server usage.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { AppError, because, type CertificateFacts, type RefusalDetail, verbatim } from '@srs-stack/contract';

const dayMs = 86_400_000;
/** Accepted clock difference to the authority, milliseconds. Applies to the start of validity. */
const clockToleranceMs = 5 * 60_000;
/** Maximum number of certificates in a chain. A longer file is usually a whole trust store, pasted by mistake. */
const maxChainLength = 10;
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Extended key usage of TLS servers (RFC 5280 §4.2.1.12). */
const serverAuthentication = '1.3.6.1.5.5.7.3.1';

/** Returns the fields of the server's certificate. Throws an AppError with the first problem. */
export function checkCertificate(pair: { key: string; crt: string }, now: Date): CertificateFacts {
  const chain = parseChain(pair.crt);
  const key = parseKey(pair.key);
  const [leaf] = chain as [X509Certificate];
  checkMatch(chain, key);
  for (const [index, each] of chain.entries()) checkDates(each, index, now);
  checkChain(chain);
  checkUsage(leaf, pair);
  return factsOf(leaf, now);
}

/** Returns the fields of the first certificate in a PEM text; undefined for an invalid text. */
export function readFacts(crt: string, now: Date): CertificateFacts | undefined {
  try {
    return factsOf(parseChain(crt)[0] as X509Certificate, now);
  } catch {
    return undefined;
  }
}

function parseChain(crt: string): X509Certificate[] {
  const blocks = crt.match(certificateBlock) ?? [];
  if (blocks.length === 0) throw new AppError('certificateFormat', missingCertificate(crt));
  if (blocks.length > maxChainLength)
    throw new AppError('certificateFormat', because('certificate.too-many', { maximum: maxChainLength }));
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw new AppError(
        'certificateFormat',
        because('certificate.damaged', { number: index + 1, total: blocks.length }),
        {
          cause: error,
        },
      );
    }
  });
}

function missingCertificate(text: string): RefusalDetail {
  if (/PRIVATE KEY-----/.test(text)) return because('certificate.key-instead');
  if (/CERTIFICATE REQUEST-----/.test(text)) return because('certificate.request-instead');
  return because('certificate.no-block');
}

function parseKey(key: string): KeyObject {
  if (/-----BEGIN CERTIFICATE-----/.test(key) && !/PRIVATE KEY-----/.test(key))
    throw new AppError('certificateKeyFormat', because('certificate.certificate-instead'));
  if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/.test(key))
    throw new AppError('certificateKeyFormat', because('certificate.passphrase'));
  try {
    return createPrivateKey(key);
  } catch (error) {
    throw new AppError('certificateKeyFormat', because('certificate.no-key-block'), { cause: error });
  }
}

function checkMatch(chain: readonly X509Certificate[], key: KeyObject): void {
  const owner = chain.findIndex((each) => each.checkPrivateKey(key));
  if (owner < 0) throw new AppError('certificateMismatch');
  if (owner > 0) throw new AppError('certificateChain', because('certificate.own-not-first'));
}

function checkDates(certificate: X509Certificate, index: number, now: Date): void {
  const number = index + 1;
  const { validFromDate, validToDate } = certificate;
  if (validToDate <= now) {
    const day = dayOf(validToDate);
    const reason =
      index === 0 ? because('certificate.ended', { day }) : because('certificate.chain-ended', { number, day });
    throw new AppError('certificateExpired', reason);
  }
  if (validFromDate.getTime() > now.getTime() + clockToleranceMs) {
    const day = dayOf(validFromDate);
    const reason =
      index === 0 ? because('certificate.begins', { day }) : because('certificate.chain-begins', { number, day });
    throw new AppError('certificateNotYetValid', reason);
  }
}

/** Throws when a certificate is not signed by the next certificate in the chain. */
function checkChain(chain: readonly X509Certificate[]): void {
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1];
    if (!issuer) return;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      throw new AppError(
        'certificateChain',
        because('certificate.not-the-issuer', { issuer: index + 2, number: index + 1 }),
      );
    }
  }
}

function checkUsage(leaf: X509Certificate, { key, crt }: { key: string; crt: string }): void {
  // Node returns the extended key usage as `keyUsage`; undefined allows any usage.
  const usage = leaf.keyUsage as string[] | undefined;
  if (usage && !usage.includes(serverAuthentication))
    throw new AppError('certificateUnusable', because('certificate.not-for-servers'));
  try {
    createSecureContext({ key, cert: crt, minVersion: 'TLSv1.2' });
  } catch (error) {
    throw new AppError('certificateUnusable', verbatim((error as Error).message.replace(/^error:[0-9A-F]+:/i, '')), {
      cause: error,
    });
  }
}

function factsOf(leaf: X509Certificate, now: Date): CertificateFacts {
  const names = namesOf(leaf);
  return {
    subject: commonName(leaf.subject) || names[0] || leaf.subject,
    issuer: commonName(leaf.issuer) || leaf.issuer,
    names,
    notBefore: leaf.validFromDate.toISOString(),
    notAfter: leaf.validToDate.toISOString(),
    daysLeft: Math.floor((leaf.validToDate.getTime() - now.getTime()) / dayMs),
    selfSigned: leaf.subject === leaf.issuer && leaf.verify(leaf.publicKey),
    fingerprint: leaf.fingerprint256,
  };
}

function namesOf(leaf: X509Certificate): string[] {
  const entries = (leaf.subjectAltName ?? '').split(', ');
  return entries.map((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1] ?? '').filter((name) => name !== '');
}

function commonName(distinguishedName: string): string {
  return /^CN=(.+)$/m.exec(distinguishedName)?.[1] ?? '';
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
