// ?tab=limit: streaming hours per month, and the maximum bitrate of sources.
import { Skeleton, Stack } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { IconGauge, IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { BitrateForm } from './bitrate-form.tsx';
import { UsageForm } from './usage-form.tsx';
import { UsageMeter } from './usage-meter.tsx';

export default function LimitPage() {
  const { t } = useTranslation('limits');
  const usage = useQuery({ ...apiQuery(calls.queryUsageLimit, {}), refetchInterval: pollIntervalMs });
  const bitrates = useQuery(apiQuery(calls.queryLimits, {}));
  return (
    <Stack gap="lg">
      <Panel
        title={t('usage.title')}
        description={t('usage.text')}
        icon={<IconHourglass size={20} aria-hidden />}
        actions={usage.data?.isExhausted && <StatusBadge state="error">{t('usage.exhausted')}</StatusBadge>}
      >
        {usage.data ? (
          <>
            <UsageMeter usage={usage.data} />
            <UsageForm stored={usage.data} />
          </>
        ) : (
          <QueryPlaceholder query={usage} skeleton={<Skeleton h={{ base: 540, sm: 440 }} />} />
        )}
      </Panel>
      <Panel title={t('bitrate.title')} description={t('bitrate.text')} icon={<IconGauge size={20} aria-hidden />}>
        {bitrates.data ? (
          <BitrateForm stored={bitrates.data} />
        ) : (
          <QueryPlaceholder query={bitrates} skeleton={<Skeleton height={140} />} />
        )}
      </Panel>
    </Stack>
  );
}
