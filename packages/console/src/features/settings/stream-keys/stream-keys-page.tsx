// ?tab=keys: named stream keys for single encoders or customers, in addition to the publish secret.
import { Skeleton, Stack } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StreamKeyForm } from './stream-key-form.tsx';
import { StreamKeyList } from './stream-key-list.tsx';

export default function StreamKeysPage() {
  const { t } = useTranslation('stream-keys');
  const keys = useQuery(apiQuery(calls.queryStreamKeys, {}));
  if (!keys.data) return <QueryPlaceholder query={keys} skeleton={<Skeleton height={720} />} />;
  return (
    <Stack gap="lg">
      <Panel title={t('title')} description={t('text')} icon={<IconKey size={20} aria-hidden />}>
        <StreamKeyList keys={keys.data.keys} />
      </Panel>
      <Panel title={t('new.title')} description={t('new.text')} icon={<IconPlus size={20} aria-hidden />}>
        <StreamKeyForm />
      </Panel>
    </Stack>
  );
}
