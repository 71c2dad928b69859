import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../shared/format-bytes.ts';
import { StaleMark } from '../../shared/streams/stale-mark.tsx';
import { ApiProblem } from '../api-problem.tsx';
import classes from '../media-console.module.css';
import { type Summary, toSummary } from '../summary.ts';
import { useSrsQuery } from './use-srs-query.ts';

export function SummariesPage() {
  const { t } = useTranslation('media-console');
  const { data, error, refetch, dataUpdatedAt } = useSrsQuery('summaries', async (api, signal) => {
    const [versions, summaries] = await Promise.all([api.data('versions', signal), api.data('summaries', signal)]);
    return toSummary(versions, summaries);
  });
  if (!data) {
    if (error) return <ApiProblem error={error} onRetry={() => void refetch()} />;
    return <Skeleton height="14rem" radius="lg" role="status" aria-label={t('loading')} />;
  }
  return (
    <>
      <StaleMark receivedAtMs={dataUpdatedAt} />
      <Metrics summary={data} />
    </>
  );
}

function Metrics({ summary }: { summary: Summary }) {
  const { t, i18n } = useTranslation('media-console');
  const bytes = (value: number) => formatBytes(value, i18n.language);
  const percent = (share: number) => `${(share * 100).toLocaleString(i18n.language, { maximumFractionDigits: 1 })}%`;
  const days = Math.floor(summary.uptimeSeconds / 86_400);
  const clock = new Date((summary.uptimeSeconds % 86_400) * 1000).toISOString().slice(11, 19);
  const metrics = [
    ['version', summary.version],
    ['uptime', days > 0 ? t('days', { count: days, clock }) : clock],
    ['connections', summary.connections.toLocaleString(i18n.language)],
    ['cpu', percent(summary.cpuShare)],
    ['memory', bytes(summary.memoryBytes)],
    ['received', bytes(summary.receivedBytes)],
    ['sent', bytes(summary.sentBytes)],
    ['systemCpu', `${percent(summary.systemCpuShare)} · ${t('cpus', { count: summary.cpus })}`],
    ['systemMemory', `${percent(summary.systemMemoryShare)} · ${bytes(summary.systemMemoryBytes)}`],
    ['load', summary.load.map((value) => value.toFixed(2)).join(' · ')],
  ] as const;
  return (
    <dl className={classes.figures}>
      {metrics.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`figure.${name}`)}</dt>
          <dd>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
