import { Progress, Text } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import type { calls } from '@srs-stack/contract/calls.ts';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../shared/format-time.ts';
import classes from './limit.module.css';

const secondsPerHour = 3_600;
/** The bar shows a warning when at least this percentage of the allowed hours is used. */
const warnFromPercent = 80;

export function UsageMeter({ usage }: { usage: ResponseOf<typeof calls.queryUsageLimit> }) {
  const { t, i18n } = useTranslation('limits');
  const format = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
  const hours = usage.consumedSeconds / secondsPerHour;
  const { totalHours } = usage;
  const percent = totalHours === null ? 0 : Math.min(100, (hours / totalHours) * 100);
  const color = usage.isExhausted ? 'broken' : percent >= warnFromPercent ? 'amber' : 'signal';
  return (
    <div className={classes.meter}>
      <p className={classes.figure}>
        <strong>{t('usage.hours', { hours: format.format(hours) })}</strong>{' '}
        {totalHours === null ? t('usage.noLimit') : t('usage.ofTotal', { hours: format.format(totalHours) })}
      </p>
      {totalHours !== null && (
        <Progress value={percent} color={color} size="lg" aria-label={t('usage.title')} mt="xs" mb="xs" />
      )}
      <Text size="sm" c="dimmed">
        {t('usage.period', {
          start: formatTimestamp(usage.periodStart),
          end: formatTimestamp(usage.periodEnd),
          count: usage.liveStreams,
        })}
      </Text>
    </div>
  );
}
