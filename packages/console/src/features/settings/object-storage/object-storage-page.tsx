// ?tab=storage: the bucket for finished recordings, and the recordings that wait for their upload.
import { Skeleton, Stack } from '@mantine/core';
import { IconBucket, IconCloudUpload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { QueryFailure } from '../../../shared/query-failure.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { BucketForm } from './bucket-form.tsx';
import { BucketStatus } from './bucket-status.tsx';
import { type ObjectStorage, useObjectStorage } from './queries.ts';

export default function ObjectStoragePage() {
  const { t } = useTranslation('object-storage');
  const storage = useObjectStorage();
  if (!storage.data && storage.isError)
    return <QueryFailure error={storage.error} onRetry={() => void storage.refetch()} />;
  return (
    <Stack gap="lg">
      <Panel
        title={t('status.title')}
        description={t('status.text')}
        icon={<IconCloudUpload size={20} aria-hidden />}
        actions={storage.data ? <Badge storage={storage.data} /> : <Skeleton w={70} h={26} radius="xl" />}
      >
        {storage.data ? <BucketStatus storage={storage.data} /> : <Skeleton h={{ base: 140, sm: 66 }} />}
      </Panel>
      <Panel title={t('bucket.title')} description={t('bucket.text')} icon={<IconBucket size={20} aria-hidden />}>
        {storage.data ? <BucketForm stored={storage.data} /> : <Skeleton h={{ base: 980, sm: 820 }} />}
      </Panel>
    </Stack>
  );
}

function Badge({ storage: { on, status } }: { storage: ObjectStorage }) {
  const { t } = useTranslation('object-storage');
  if (status.problem) return <StatusBadge state="retrying">{t('state.waits')}</StatusBadge>;
  if (!on) return <StatusBadge state="idle">{t('state.off')}</StatusBadge>;
  if (status.waiting.count > 0) return <StatusBadge state="connecting">{t('state.sending')}</StatusBadge>;
  return <StatusBadge state="good">{t('state.on')}</StatusBadge>;
}
