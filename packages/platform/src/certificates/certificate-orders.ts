// Runs one ACME order at a time: domain check, account, proof, certificate, installation. Reports the progress to the console.
import { AppError, type CertificateOrder } from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { DocumentType, Store } from '../store/store.ts';
import type { CertificateAuthority } from './acme/acme-authority.ts';
import type { DomainCheck } from './acme/domain-check.ts';
import type { CertificatePair } from './certificate-files.ts';

const accountDocument: DocumentType<string> = {
  key: 'acme-account',
  schema: z.string(),
  empty: '',
  secret: true,
};

interface OrderRequest {
  readonly domain: string;
  readonly email: string;
  readonly actor: Actor;
  readonly isRenewal: boolean;
}

export interface CertificateOrders {
  /** Throws `certificateOrderRunning`, or the error of the failed order. */
  run(request: OrderRequest): Promise<void>;
  latest(): CertificateOrder | undefined;
}

export interface CertificateOrdersDeps {
  readonly store: Store;
  readonly now: () => Date;
  readonly authority: CertificateAuthority;
  readonly checkDomain: DomainCheck;
  readonly install: (pair: CertificatePair, request: OrderRequest) => Promise<void>;
}

export function createCertificateOrders(deps: CertificateOrdersDeps): CertificateOrders {
  const { store, now, authority, checkDomain, install } = deps;
  let latest: CertificateOrder | undefined;
  let isRunning = false;

  const accountKey = async () => {
    const stored = await store.get(accountDocument);
    if (stored !== '') return stored;
    const made = await authority.makeAccountKey();
    await store.set(accountDocument, made);
    return made;
  };

  const order = async (request: OrderRequest, onStep: (step: CertificateOrder['step']) => void) => {
    const { domain, email } = request;
    await checkDomain(domain);
    const pair = await authority.obtain({ domain, email, accountKey: await accountKey(), onStep });
    onStep('installing');
    await install(pair, request);
  };

  return {
    latest: () => latest,
    async run(request) {
      if (isRunning) throw new AppError('certificateOrderRunning');
      isRunning = true;
      const { domain, isRenewal } = request;
      let state: CertificateOrder = { domain, step: 'checking', startedAt: now().toISOString(), isRenewal };
      const update = (part: Partial<CertificateOrder>) => {
        state = { ...state, ...part };
        latest = state;
      };
      update({});
      try {
        await order(request, (step) => update({ step }));
        update({ step: 'done', endedAt: now().toISOString() });
      } catch (error) {
        update({ step: 'failed', endedAt: now().toISOString(), error: describe(error) });
        throw error;
      } finally {
        isRunning = false;
      }
    },
  };
}

function describe(error: unknown): CertificateOrder['error'] {
  if (error instanceof AppError) return error.facts;
  return { name: 'internal', message: 'internal error' };
}
