// The Virtual live page: a file, a server file or a remote stream becomes a live stream on other platforms.
import { Skeleton, Stack } from '@mantine/core';
import { QueryFailure } from '../../shared/query-failure.tsx';
import { useVliveTargets } from './queries.ts';
import { VliveItems } from './vlive-items.tsx';

export default function VlivePage() {
  const targets = useVliveTargets();
  if (targets.data) return <VliveItems targets={targets.data} />;
  if (targets.isError) return <QueryFailure error={targets.error} onRetry={() => void targets.refetch()} />;
  return (
    <Stack gap="md" aria-busy>
      {['0', '1', '2', '3', '99'].map((item) => (
        <Skeleton key={item} height={item === '1' ? '26rem' : '3.75rem'} radius="lg" />
      ))}
    </Stack>
  );
}
