// The Forward page: an introduction, the three platforms, any number of other targets, and the status of all.
import { Skeleton, Stack } from '@mantine/core';
import { QueryFailure } from '../../shared/query-failure.tsx';
import { ForwardItems } from './forward-items.tsx';
import { useForwardTargets } from './queries.ts';

export default function ForwardPage() {
  const targets = useForwardTargets();
  if (targets.data) return <ForwardItems targets={targets.data} />;
  if (targets.isError) return <QueryFailure error={targets.error} onRetry={() => void targets.refetch()} />;
  return (
    <Stack gap="md" aria-busy>
      {['0', '1', '2', '3', '99'].map((item) => (
        <Skeleton key={item} height={item === '1' ? '22rem' : '3.75rem'} radius="lg" />
      ))}
    </Stack>
  );
}
