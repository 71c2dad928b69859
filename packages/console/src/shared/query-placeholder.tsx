// Placeholder of a query's data: a skeleton while loading, or the error with a retry button.
import type { ReactNode } from 'react';
import { QueryFailure } from './query-failure.tsx';

export interface QueryPlaceholderProps {
  query: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
  /** Should have the size of the content, to avoid layout shifts. */
  skeleton: ReactNode;
}

export function QueryPlaceholder({ query, skeleton }: QueryPlaceholderProps) {
  if (query.error) return <QueryFailure error={query.error} onRetry={() => void query.refetch()} />;
  return skeleton;
}
