// HTTPS of the product: the certificate in use, replacing it after checks, orders at an ACME authority, renewal. Files are
// replaced only by a pair that passed every check; the gateway takes them over without dropping a connection.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, because, type CertificateState, changed } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { DocumentType, Store } from '../store/store.ts';
import type { CertificateAuthority } from './acme/acme-authority.ts';
import type { DomainCheck } from './acme/domain-check.ts';
import { checkCertificate, readFacts } from './certificate-check.ts';
import { toCertificateDomain, toContactAddress } from './certificate-domain.ts';
import type { CertificateFiles, CertificatePair } from './certificate-files.ts';
import { createCertificateOrders } from './certificate-orders.ts';
import { isRenewalDue, pauseBeforeRenewal } from './renewal.ts';
import { makeSelfSigned } from './self-signed.ts';

interface HttpsSettings {
  readonly provider: CertificateState['provider'];
  readonly domain: string;
  readonly email: string;
}

const httpsDocument: DocumentType<HttpsSettings> = {
  key: 'https',
  schema: z.object({ provider: z.enum(['', 'ssl', 'lets']), domain: z.string(), email: z.string() }),
  empty: { provider: '', domain: '', email: '' },
};

interface LetsEncryptRequest {
  readonly domain: string;
  /** Undefined: the address given before. */
  readonly email: string | undefined;
  /** False: resolves when the order has begun. */
  readonly wait: boolean;
  readonly replaces?: string | undefined;
  readonly ip: string;
}

export interface Certificates {
  state(): Promise<CertificateState>;
  /** Texts of the files; '' while no provider is chosen. Throws `notFound` when they are gone. */
  texts(): Promise<CertificatePair>;
  /**
   * Throws an AppError that says what does not fit; nothing is replaced then. `replaces`, here and below: fingerprint of the
   * certificate the operator saw; throws `settingsChanged` when another one is in use.
   */
  upload(pair: CertificatePair, ip: string, replaces?: string): Promise<void>;
  /** Does nothing when there is a certificate or a key, unless `replace`. */
  makeSelfSigned(options: {
    replace: boolean;
    domain: string;
    replaces?: string | undefined;
    ip: string;
  }): Promise<void>;
  letsEncrypt(request: LetsEncryptRequest): Promise<void>;
  /** Finishes interrupted work, makes a first certificate, renews until the signal; never rejects. */
  keep(signal: AbortSignal): Promise<void>;
}

export interface CertificatesDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly files: CertificateFiles;
  readonly authority: CertificateAuthority;
  readonly checkDomain: DomainCheck;
  readonly mediaServer: { reload(): Promise<void> };
  /** Makes a self-signed certificate at start when there is none. */
  readonly startsSelfSigned: boolean;
}

export function createCertificates(deps: CertificatesDeps): Certificates {
  const { store, audit, log, now, files, mediaServer } = deps;
  const oneAtATime = createOneAtATime();
  let factsCache: { version: string; crt: string } | undefined;
  let wakeRenewal = () => {};
  let nextRenewalCheck = '';

  const current = () => store.get(httpsDocument);
  const facts = async () => {
    const version = await files.version();
    if (factsCache?.version !== version) factsCache = { version, crt: (await files.read()).crt ?? '' };
    return readFacts(factsCache.crt, now());
  };

  /** Another certificate than the one the operator saw: somebody was faster. */
  const requireInUse = async (fingerprint: string | undefined) => {
    if (fingerprint !== undefined && fingerprint !== ((await facts())?.fingerprint ?? ''))
      throw new AppError('settingsChanged');
  };

  /** Checks, then replaces; the gateway also looks at the files by itself, so an unreachable one is no failure. */
  const install = (pair: CertificatePair, settings: HttpsSettings, ip: string, replaces?: string) =>
    oneAtATime(async () => {
      await requireInUse(replaces);
      const { subject, notAfter } = checkCertificate(pair, now());
      await files.replace(pair);
      await store.set(httpsDocument, settings);
      await audit.record('setting-changed', ip, changed('certificate.installed', { subject, until: notAfter }));
      wakeRenewal();
      await mediaServer.reload().catch((error) => {
        log.debug({ reason: (error as Error).message }, 'media server not told of the certificate, it looks by itself');
      });
    });

  const orders = createCertificateOrders({
    ...deps,
    install: async (pair, { domain, email, ip }) => install(pair, { provider: 'lets', domain, email }, ip),
  });

  const makeOwn: Certificates['makeSelfSigned'] = async ({ replace, domain, replaces, ip }) => {
    const { key, crt } = await files.read();
    if (!replace && (key !== undefined || crt !== undefined)) return;
    const names = domain.trim() === '' ? [] : [toSelfSignedName(domain)];
    const { email } = await current();
    await install(makeSelfSigned(now(), names), { provider: 'ssl', domain: '', email }, ip, replaces);
  };

  const prepare = async () => {
    await files.finishReplacement();
    if (deps.startsSelfSigned) await makeOwn({ replace: false, domain: '', ip: '' });
  };

  const renewIfDue = async (): Promise<boolean> => {
    const { provider, domain, email } = await current();
    const life = await facts();
    if (provider !== 'lets' || (life && !isRenewalDue(life, now()))) return true;
    log.info({ domain, notAfter: life?.notAfter }, 'renewing the certificate');
    return orders.run({ domain, email, ip: '', isRenewal: true }).then(
      () => true,
      (error) => {
        log.error({ domain, reason: (error as Error).message }, 'the certificate was not renewed');
        return false;
      },
    );
  };

  const pause = async (ms: number, signal: AbortSignal) => {
    const woken = new AbortController();
    wakeRenewal = () => woken.abort();
    const { provider } = await current().catch(() => httpsDocument.empty);
    nextRenewalCheck = provider === 'lets' ? new Date(now().getTime() + ms).toISOString() : '';
    await delay(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]), ref: false }).catch(() => undefined);
  };

  return {
    async state() {
      const { provider, domain, email } = await current();
      const certificate = (await facts()) ?? null;
      return { provider, domain, email, certificate, order: orders.latest() ?? null, nextRenewalCheck };
    },

    async texts() {
      const { provider } = await current();
      if (provider === '') return { key: '', crt: '' };
      const { key, crt } = await files.read();
      if (key === undefined || crt === undefined) throw new AppError('notFound', because('certificate.files-gone'));
      return { key, crt };
    },

    async upload({ key, crt }, ip, replaces) {
      if (key.trim() === '') throw new AppError('invalidRequest', because('certificate.key-missing'));
      if (crt.trim() === '') throw new AppError('invalidRequest', because('certificate.crt-missing'));
      const { email } = await current();
      await install({ key: key.trim(), crt: crt.trim() }, { provider: 'ssl', domain: '', email }, ip, replaces);
    },

    makeSelfSigned: makeOwn,

    async letsEncrypt({ domain, email, wait, replaces, ip }) {
      await requireInUse(replaces);
      const contact = email === undefined ? (await current()).email : toContactAddress(email);
      const order = orders.run({ domain: toCertificateDomain(domain), email: contact, ip, isRenewal: false });
      if (wait) return order;
      order.catch((error) => log.warn({ domain, reason: (error as Error).message }, 'certificate order failed'));
      // What is refused at once is told at once.
      await Promise.race([order, Promise.resolve()]);
    },

    async keep(signal) {
      await prepare().catch((error) => log.error({ err: error }, 'first certificate not made'));
      while (!signal.aborted) {
        const renewed = renewIfDue().catch((error) => {
          log.error({ err: error }, 'renewal not looked at');
          return false;
        });
        const hasRenewed = await Promise.race([renewed, aborted(signal)]);
        const life = await facts().catch(() => undefined);
        await pause(pauseBeforeRenewal(life, now(), !hasRenewed), signal);
      }
    },
  };
}

/** A stop does not wait for an authority; the order begins anew at the next start. */
function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
}

/** A host name or an address; a certificate of our own needs no public one. Throws `domainInvalid`. */
function toSelfSignedName(text: string): string {
  const name = text.trim().replace(/^\[|\]$/g, '');
  if (!/^[A-Za-z0-9.:-]{1,253}$/.test(name))
    throw new AppError('domainInvalid', because('domain.not-a-host-or-address'));
  return name;
}
