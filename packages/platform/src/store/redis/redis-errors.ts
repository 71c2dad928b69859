// Maps errors of Redis, and of the connection to it, to errors of the product.
import { AppError, because, verbatim } from '@srs-stack/contract';
import type { StoreTrouble } from '../store.ts';
import { staleWrite, storeGone } from './redis-scripts.ts';

/** `gone`: Redis has no store or a different store. `away`: Redis does not respond. `refused`: Redis responds with an error. */
export type Trouble = 'gone' | 'away' | 'refused';

/**
 * Problem of the store by error prefix. These errors refuse all writes or all commands. `NOREPLICAS`: Redis is configured to need a replica
 * for writes.
 */
const refusals: Readonly<Record<string, StoreTrouble>> = {
  ...{ OOM: 'full', MISCONF: 'read-only', READONLY: 'read-only', NOREPLICAS: 'read-only' },
  ...{ NOAUTH: 'denied', WRONGPASS: 'denied', NOPERM: 'denied' },
};
/** Errors about credentials. They count as `away`: other servers may change the store until this server has access again. */
const withoutPassword = /\b(?:NOAUTH|WRONGPASS)\b/;
/** Error prefixes of temporary unavailability. */
const notServing = ['LOADING', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'BUSY', 'UNBLOCKED'];
/** Messages of the library for a missing response. */
const noResponse =
  /^(?:Connection is closed|Command timed out|Stream isn't writeable|Reached the max retries|Command aborted|Cluster isn't ready|Cluster is ended|Failed to refresh slots|None of startup nodes|Socket (?:closed|timeout)|All sentinels are unreachable|Ready check failed)/;

export function troubleOf(error: unknown): Trouble {
  const { message = '', code = '' } = error as { message?: string; code?: string };
  const word = message.split(' ', 1)[0] ?? '';
  if (word === storeGone) return 'gone';
  const isUnavailable =
    notServing.includes(word) || withoutPassword.test(message) || noResponse.test(message) || /^E[A-Z]+$/.test(code);
  return isUnavailable ? 'away' : 'refused';
}

/**
 * The problem if all callers are affected. Undefined without a response, or if only one command failed.
 * @param connectionError the reason why there is no connection.
 */
export function refusalOf(error: unknown, connectionError?: Error): StoreTrouble | undefined {
  const { message = '' } = error as { message?: string };
  if (withoutPassword.test(connectionError?.message ?? '')) return 'denied';
  return refusals[message.split(' ', 1)[0] ?? ''];
}

/** The error of a command for a caller. AppErrors stay unchanged. */
export function toStoreError(error: unknown, store: string, connectionError?: Error): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const word = error.message.split(' ', 1)[0] ?? '';
  if (word === staleWrite) return new AppError('settingsChanged');
  return new AppError('storeNotReady', reasonOf(error, refusalOf(error, connectionError), store), { cause: error });
}

function reasonOf(error: Error, refusal: StoreTrouble | undefined, store: string) {
  if (refusal === 'denied') return because('store.denied', { store });
  if (troubleOf(error) === 'gone') return because('store.gone', { store });
  if (error.message.startsWith('Command timed out')) return because('store.slow', { store });
  if (troubleOf(error) === 'away') return because('store.away', { store });
  if (refusal === 'full') return because('store.full', { store });
  if (error.message.startsWith('MISCONF ')) return because('store.disk', { store });
  if (refusal === 'read-only') return because('store.read-only', { store });
  return because('store.refused', { store, words: verbatim(error.message).text });
}
