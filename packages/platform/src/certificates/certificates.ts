// Certificates for HTTPS: validation, replacement, ACME orders, renewal. Only a pair that passes every check replaces the files. The
// gateway loads new files without closing connections.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, because, type CertificateState, changed } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import { type Actor, thisServer } from '../actor.ts';
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
  /** Contact address; undefined for the stored address. */
  readonly email: string | undefined;
  /** Whether the call resolves after the end of the order. If false, the call resolves after the start. */
  readonly wait: boolean;
  readonly replaces?: string | undefined;
  readonly actor: Actor;
}

export interface Certificates {
  state(): Promise<CertificateState>;
  /** Contents of the files; '' while no provider is selected. Throws `notFound` when the files are missing. */
  texts(): Promise<CertificatePair>;
  /**
   * Replaces the certificate in use. Throws an AppError and replaces nothing if a check fails. `replaces` is the fingerprint that the
   * operator saw; throws `settingsChanged` when another certificate is in use.
   */
  upload(pair: CertificatePair, actor: Actor, replaces?: string): Promise<void>;
  /** Creates a self-signed certificate. Does nothing if a certificate or key exists, unless `replace` is set. */
  makeSelfSigned(options: {
    replace: boolean;
    domain: string;
    replaces?: string | undefined;
    actor: Actor;
  }): Promise<void>;
  letsEncrypt(request: LetsEncryptRequest): Promise<void>;
  /** Completes an interrupted replacement, creates the first certificate, and renews until the signal aborts. Never rejects. */
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
  readonly startsSelfSigned: boolean;
}

export function createCertificates(deps: CertificatesDeps): Certificates {
  return new HttpsCertificates(deps);
}

class HttpsCertificates implements Certificates {
  readonly #deps: CertificatesDeps;
  readonly #oneAtATime = createOneAtATime();
  #factsCache: { version: string; crt: string } | undefined;
  #wakeRenewal = () => {};
  #nextRenewalCheck = '';
  readonly #orders: ReturnType<typeof createCertificateOrders>;

  constructor(deps: CertificatesDeps) {
    this.#deps = deps;
    this.#orders = createCertificateOrders({
      ...deps,
      install: async (pair, { domain, email, actor }) =>
        this.#install(pair, { provider: 'lets', domain, email }, actor),
    });
  }

  async state(): Promise<CertificateState> {
    const { provider, domain, email } = await this.#current();
    const certificate = (await this.#facts()) ?? null;
    return {
      provider,
      domain,
      email,
      certificate,
      order: this.#orders.latest() ?? null,
      nextRenewalCheck: this.#nextRenewalCheck,
    };
  }

  async texts(): Promise<CertificatePair> {
    const { provider } = await this.#current();
    if (provider === '') return { key: '', crt: '' };
    const { key, crt } = await this.#deps.files.read();
    if (key === undefined || crt === undefined) throw new AppError('notFound', because('certificate.files-gone'));
    return { key, crt };
  }

  async upload({ key, crt }: CertificatePair, actor: Actor, replaces?: string): Promise<void> {
    if (key.trim() === '') throw new AppError('invalidRequest', because('certificate.key-missing'));
    if (crt.trim() === '') throw new AppError('invalidRequest', because('certificate.crt-missing'));
    const { email } = await this.#current();
    await this.#install({ key: key.trim(), crt: crt.trim() }, { provider: 'ssl', domain: '', email }, actor, replaces);
  }

  async makeSelfSigned({
    replace,
    domain,
    replaces,
    actor,
  }: {
    replace: boolean;
    domain: string;
    replaces?: string | undefined;
    actor: Actor;
  }): Promise<void> {
    const { key, crt } = await this.#deps.files.read();
    if (!replace && (key !== undefined || crt !== undefined)) return;
    const names = domain.trim() === '' ? [] : [toSelfSignedName(domain)];
    const { email } = await this.#current();
    await this.#install(
      makeSelfSigned(this.#deps.now(), names),
      { provider: 'ssl', domain: '', email },
      actor,
      replaces,
    );
  }

  async letsEncrypt({ domain, email, wait, replaces, actor }: LetsEncryptRequest): Promise<void> {
    await this.#requireInUse(replaces);
    const contact = email === undefined ? (await this.#current()).email : toContactAddress(email);
    const order = this.#orders.run({ domain: toCertificateDomain(domain), email: contact, actor, isRenewal: false });
    if (wait) return order;
    order.catch((error) =>
      this.#deps.log.warn({ domain, reason: (error as Error).message }, 'certificate order failed'),
    );
    // Rejects only if the order is refused immediately, e.g. while another order is running.
    await Promise.race([order, Promise.resolve()]);
  }

  async keep(signal: AbortSignal): Promise<void> {
    await this.#prepare().catch((error) =>
      this.#deps.log.error({ err: error }, 'self-signed certificate could not be created'),
    );
    while (!signal.aborted) {
      const renewed = this.#renewIfDue().catch((error) => {
        this.#deps.log.error({ err: error }, 'renewal check failed');
        return false;
      });
      const hasRenewed = await Promise.race([renewed, aborted(signal)]);
      const life = await this.#facts().catch(() => undefined);
      await this.#pause(pauseBeforeRenewal(life, this.#deps.now(), !hasRenewed), signal);
    }
  }

  #current() {
    return this.#deps.store.get(httpsDocument);
  }

  async #facts() {
    const version = await this.#deps.files.version();
    if (this.#factsCache?.version !== version)
      this.#factsCache = { version, crt: (await this.#deps.files.read()).crt ?? '' };
    return readFacts(this.#factsCache.crt, this.#deps.now());
  }

  /** Throws when the certificate in use differs from the certificate that the operator saw. */
  async #requireInUse(fingerprint: string | undefined): Promise<void> {
    if (fingerprint !== undefined && fingerprint !== ((await this.#facts())?.fingerprint ?? ''))
      throw new AppError('settingsChanged');
  }

  /** Checks, then replaces. The gateway also watches the files, so an unreachable gateway is not a failure. */
  #install(pair: CertificatePair, settings: HttpsSettings, actor: Actor, replaces?: string) {
    return this.#oneAtATime(async () => {
      await this.#requireInUse(replaces);
      const { subject, notAfter } = checkCertificate(pair, this.#deps.now());
      await this.#deps.files.replace(pair);
      await this.#deps.store.set(httpsDocument, settings);
      await this.#deps.audit.record(
        'setting-changed',
        actor,
        changed('certificate.installed', { subject, until: notAfter }),
      );
      this.#wakeRenewal();
      await this.#deps.mediaServer.reload().catch((error) => {
        this.#deps.log.debug(
          { reason: (error as Error).message },
          'media server could not be notified of the new certificate and will reload the files itself',
        );
      });
    });
  }

  async #prepare(): Promise<void> {
    await this.#deps.files.finishReplacement();
    if (this.#deps.startsSelfSigned) await this.makeSelfSigned({ replace: false, domain: '', actor: thisServer });
  }

  async #renewIfDue(): Promise<boolean> {
    const { provider, domain, email } = await this.#current();
    const life = await this.#facts();
    if (provider !== 'lets' || (life && !isRenewalDue(life, this.#deps.now()))) return true;
    this.#deps.log.info({ domain, notAfter: life?.notAfter }, 'renewing the certificate');
    return this.#orders.run({ domain, email, actor: thisServer, isRenewal: true }).then(
      () => true,
      (error) => {
        this.#deps.log.error({ domain, reason: (error as Error).message }, 'the certificate could not be renewed');
        return false;
      },
    );
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wakeRenewal = () => woken.abort();
    const { provider } = await this.#current().catch(() => httpsDocument.empty);
    this.#nextRenewalCheck = provider === 'lets' ? new Date(this.#deps.now().getTime() + ms).toISOString() : '';
    await delay(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]), ref: false }).catch(() => undefined);
  }
}

/** Resolves with false when the signal aborts, so that a stop does not wait for the authority. The next start begins a new order. */
function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
}

/** Accepts a host name or an address, because a self-signed certificate needs no public name. Throws `domainInvalid`. */
function toSelfSignedName(text: string): string {
  const name = text.trim().replace(/^\[|\]$/g, '');
  if (!/^[A-Za-z0-9.:-]{1,253}$/.test(name))
    throw new AppError('domainInvalid', because('domain.not-a-host-or-address'));
  return name;
}
