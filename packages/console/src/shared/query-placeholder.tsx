// Placeholder of a query's data: a skeleton while it loads; the error and a retry button after it has failed.
import type { ReactNode } from 'react';
import { QueryFailure } from './query-failure.tsx';

export interface QueryPlaceholderProps {
  query: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
  /** As large as the content that replaces it. */
  skeleton: ReactNode;
}

export function QueryPlaceholder({ query, skeleton }: QueryPlaceholderProps) {
  if (query.error) return <QueryFailure error={query.error} onRetry={() => void query.refetch()} />;
  return skeleton;
}
