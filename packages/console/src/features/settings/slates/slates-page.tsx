// ?tab=slate: the content that viewers and forwards receive while a stream has no source.
import { Alert, Skeleton, Stack } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import {
  IconArrowsExchange,
  IconDeviceTvOff,
  IconInfoCircle,
  IconListCheck,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SlateForm } from './slate-form.tsx';
import { SlateStarts } from './slate-starts.tsx';
import { BackupStreams, SlateStreams } from './slate-streams.tsx';

/** Poll interval, milliseconds. The server prepares an image in about a second. */
const pollMs = 1_000;

export default function SlatesPage() {
  const { t } = useTranslation('slates');
  const slates = useQuery({ ...apiQuery(calls.querySlates, {}), refetchInterval: pollMs });
  const server = useQuery({ ...apiQuery(calls.queryComponents, {}), retry: false }).data?.mediaServer;
  if (!slates.data) return <QueryPlaceholder query={slates} skeleton={<Skeleton height={760} />} />;
  return (
    <Stack gap="lg">
      {server?.engine === 'srs' && (
        <Alert variant="light" color="gray" p="sm" icon={<IconInfoCircle aria-hidden />}>
          {t('srs')}
        </Alert>
      )}
      <Panel title={t('title')} description={t('text')} icon={<IconDeviceTvOff size={20} aria-hidden />}>
        <SlateForm stored={slates.data} />
      </Panel>
      {server?.engine !== 'srs' && (
        <Panel title={t('start.title')} description={t('start.text')} icon={<IconPlayerPlay size={20} aria-hidden />}>
          <SlateStarts starts={slates.data.starts} longest={slates.data.longestMinutes} />
        </Panel>
      )}
      {slates.data.backupsOnAir.length > 0 && (
        <Panel title={t('backups.onAir')} icon={<IconArrowsExchange size={20} aria-hidden />}>
          <BackupStreams backups={slates.data.backupsOnAir} />
        </Panel>
      )}
      {slates.data.enabled && (
        <Panel
          title={t('streams.title')}
          description={t('streams.text')}
          icon={<IconListCheck size={20} aria-hidden />}
        >
          <SlateStreams streams={slates.data.streams} />
        </Panel>
      )}
    </Stack>
  );
}
