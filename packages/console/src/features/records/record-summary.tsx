// Totals of the recordings, and warnings about disk space and unreachable servers.
import { Alert } from '@mantine/core';
import type { RecordTotals, ResponseOf } from '@srs-stack/contract';
import type { calls } from '@srs-stack/contract/calls.ts';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { formatClock } from './recording-facts.ts';

type RecordStatus = ResponseOf<typeof calls.queryRecordStatus>;

export function RecordSummary({ status, isSearching }: { status: RecordStatus; isSearching: boolean }) {
  const { t } = useTranslation('records');
  const locale = useLocale();
  const { disk, nodes = [] } = status;
  const totals: RecordTotals = isSearching ? status.matching : status.totals;
  const facts = [
    [t(isSearching ? 'totals.found' : 'totals.count'), totals.count.toLocaleString(locale)],
    [t('totals.recording'), totals.recording.toLocaleString(locale)],
    [t('totals.duration'), formatClock(totals.duration)],
    [t('totals.size'), formatBytes(totals.size, locale)],
    [t('totals.free'), formatBytes(disk.freeBytes, locale)],
  ] as const;
  return (
    <>
      {disk.state !== 'ok' && (
        <Alert
          role="alert"
          variant="light"
          color={disk.state === 'full' ? 'broken' : 'amber'}
          icon={<IconAlertTriangle aria-hidden />}
          title={t(`disk.${disk.state}`)}
        >
          {t(`disk.${disk.state}Text`, {
            free: formatBytes(disk.freeBytes, locale),
            reserve: formatBytes(disk.reserveBytes, locale),
          })}
        </Alert>
      )}
      {nodes
        .filter(({ isAway }) => isAway)
        .map(({ id, name, recordings }) => (
          <Alert
            key={id}
            role="status"
            variant="light"
            color="amber"
            icon={<IconPlugConnectedX aria-hidden />}
            title={t('nodes.away', { name, count: recordings })}
          >
            {t('nodes.awayText')}
          </Alert>
        ))}
      <FactList facts={facts} tiles="figures" />
    </>
  );
}
