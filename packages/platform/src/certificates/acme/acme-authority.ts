// Obtains a certificate from an ACME authority by HTTP-01 (RFC 8555 §7.4, §8.3). The library is loaded at the first order, to save memory.
import { AppError, because, type CertificateOrder, verbatim } from '@srs-stack/contract';
import type { Authorization, Client } from 'acme-client';
import type { ChallengeFiles } from './challenge-files.ts';

/** Timeout of a whole order, milliseconds. An order normally takes seconds. */
const orderTimeoutMs = 180_000;
/** Timeout of one request to the authority, milliseconds. */
const requestTimeoutMs = 20_000;
/** Retries of the library after a failed request, delay in seconds. The library's defaults would take half a minute. */
const retries = { retryMaxAttempts: 2, retryDefaultDelay: 2 };
/** Polls for the state of an order: number, and interval in milliseconds. */
const polling = { backoffAttempts: 30, backoffMin: 500, backoffMax: 5_000 };
/** Maximum length of the authority's error message, characters. */
const maxReasonLength = 500;

interface AcmeOrder {
  readonly domain: string;
  /** '' for none. */
  readonly email: string;
  readonly accountKey: string;
  readonly onStep: (step: CertificateOrder['step']) => void;
}

export interface CertificateAuthority {
  makeAccountKey(): Promise<string>;
  /** Throws `certificateAuthorityUnreachable` or `certificateOrderFailed` with the authority's reason. */
  obtain(order: AcmeOrder): Promise<{ key: string; crt: string }>;
}

export function createAcmeAuthority(directoryUrl: string, challenges: ChallengeFiles): CertificateAuthority {
  return {
    async makeAccountKey() {
      const acme = await loadLibrary();
      return (await acme.crypto.createPrivateEcdsaKey('P-256')).toString();
    },
    async obtain(order) {
      await checkAuthority(directoryUrl);
      const acme = await loadLibrary();
      const client = new acme.Client({ directoryUrl, accountKey: order.accountKey, ...polling });
      const run = runOrder({ client, order, challenges, createCsr: (...args) => acme.crypto.createCsr(...args) });
      try {
        return await Promise.race([run, failAfter(orderTimeoutMs)]);
      } catch (error) {
        run.catch(() => undefined);
        throw toAppError(error);
      }
    },
  };
}

type AcmeLibrary = typeof import('acme-client');
/** Library settings that are missing in the library's types. */
interface LibrarySettings {
  readonly acmeSettings: object;
}

async function loadLibrary(): Promise<AcmeLibrary> {
  const acme = await import('acme-client');
  Object.assign(acme.axios.defaults, { timeout: requestTimeoutMs });
  Object.assign((acme.axios.defaults as unknown as LibrarySettings).acmeSettings, retries);
  return acme;
}

interface OrderParts {
  readonly client: Client;
  readonly order: AcmeOrder;
  readonly challenges: ChallengeFiles;
  readonly createCsr: AcmeLibrary['crypto']['createCsr'];
}

async function runOrder({ client, order, challenges, createCsr }: OrderParts): Promise<{ key: string; crt: string }> {
  const { domain, email, onStep } = order;
  onStep('account');
  await client.createAccount({
    termsOfServiceAgreed: true,
    ...(email === '' ? {} : { contact: [`mailto:${email}`] }),
  });
  onStep('challenge');
  const created = await client.createOrder({ identifiers: [{ type: 'dns', value: domain }] });
  for (const authorization of await client.getAuthorizations(created)) {
    if (authorization.status !== 'valid') await prove({ client, authorization, challenges, onStep });
  }
  onStep('issuing');
  const [key, csr] = await createCsr({ altNames: [domain] }, await newCertificateKey());
  const finished = await client.finalizeOrder(created, csr);
  return { key: key.toString(), crt: await client.getCertificate(finished) };
}

async function newCertificateKey(): Promise<Buffer> {
  const { crypto } = await loadLibrary();
  return crypto.createPrivateEcdsaKey('P-256');
}

interface Proof {
  readonly client: Client;
  readonly authorization: Authorization;
  readonly challenges: ChallengeFiles;
  readonly onStep: (step: CertificateOrder['step']) => void;
}

async function prove({ client, authorization, challenges, onStep }: Proof): Promise<void> {
  const challenge = authorization.challenges.find((each) => each.type === 'http-01');
  if (!challenge) throw new AppError('certificateOrderFailed', because('certificate.no-http-challenge'));
  await challenges.put(challenge.token, await client.getChallengeKeyAuthorization(challenge));
  try {
    onStep('validating');
    await client.completeChallenge(challenge);
    await client.waitForValidStatus(challenge);
  } finally {
    await challenges.remove(challenge.token);
  }
}

function failAfter(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new AppError('certificateOrderFailed', because('certificate.too-slow'))), ms).unref();
  });
}

/** Throws `certificateAuthorityUnreachable` with the cause, which the library's error lacks. */
async function checkAuthority(directoryUrl: string): Promise<void> {
  try {
    const response = await fetch(directoryUrl, { signal: AbortSignal.timeout(requestTimeoutMs) });
    await response.body?.cancel();
    if (response.ok) return;
    throw new Error(`HTTP ${response.status}`);
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    throw new AppError('certificateAuthorityUnreachable', verbatim(cause?.code ?? (error as Error).message), {
      cause: error,
    });
  }
}

/**
 * Converts errors of the library. Network errors have a code or are TypeErrors. Problems that the authority reports have only a message.
 */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  if (code !== undefined || error instanceof TypeError)
    return new AppError('certificateAuthorityUnreachable', code === undefined ? undefined : verbatim(code), {
      cause: error,
    });
  return new AppError('certificateOrderFailed', verbatim(message.slice(0, maxReasonLength)), { cause: error });
}
