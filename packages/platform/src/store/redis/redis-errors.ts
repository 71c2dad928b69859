// Maps errors of Redis, and of the connection to it, to errors of the product.
import { AppError, because, verbatim } from '@srs-stack/contract';
import type { StoreTrouble } from '../store.ts';
import { staleWrite, storeGone } from './redis-scripts.ts';

/** `gone`: the store is empty or a different one; `away`: Redis does not respond; `refused`: Redis responds with an error. */
export type Trouble = 'gone' | 'away' | 'refused';

/**
 * Problem of the store by prefix of an error that refuses all writes, or all commands. `NOREPLICAS`: the configuration requires a replica
 * for writes.
 */
const refusals: Readonly<Record<string, StoreTrouble>> = {
  ...{ OOM: 'full', MISCONF: 'read-only', READONLY: 'read-only', NOREPLICAS: 'read-only' },
  ...{ NOAUTH: 'denied', WRONGPASS: 'denied', NOPERM: 'denied' },
};
/** Errors about credentials. They count as `away`, because other servers may change the store until access works again. */
const withoutPassword = /\b(?:NOAUTH|WRONGPASS)\b/;
/** Prefixes of errors for temporary unavailability. */
const notServing = ['LOADING', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'BUSY', 'UNBLOCKED'];
/** Messages of the library when there is no response. */
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
 * The problem if it affects all callers; undefined for an error of one command, or without a response.
 * @param connectionError why there is no connection.
 */
export function refusalOf(error: unknown, connectionError?: Error): StoreTrouble | undefined {
  const { message = '' } = error as { message?: string };
  if (withoutPassword.test(connectionError?.message ?? '')) return 'denied';
  return refusals[message.split(' ', 1)[0] ?? ''];
}

/** The error for a caller. Errors that do not come from Redis (a bug, a damaged value) stay unchanged. */
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
