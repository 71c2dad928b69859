// What stands where the data of a query will be: a skeleton while it loads; what happened, and a retry, after it has failed.
import type { ReactNode } from 'react';
import { QueryFailure } from './query-failure.tsx';

export interface QueryPlaceholderProps {
  query: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
  /** As large as what will stand there. */
  skeleton: ReactNode;
}

export function QueryPlaceholder({ query, skeleton }: QueryPlaceholderProps) {
  if (query.error) return <QueryFailure error={query.error} onRetry={() => void query.refetch()} />;
  return skeleton;
}
