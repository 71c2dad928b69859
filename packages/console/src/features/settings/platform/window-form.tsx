// Form for the daily upgrade window: at least three hours long, possibly past midnight.
import { Text, TextInput } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { minUpgradeWindowHours } from '@srs-stack/contract/limits.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../shared/format-time.ts';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import classes from './platform.module.css';

const minutesPerDay = 24 * 60;

/** Minutes from `start` to `end`; 0 for equal times. An `end` before `start` is on the next day. */
export function windowMinutes(start: string, end: string): number {
  const [from, to] = [start, end].map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return hours * 60 + minutes;
  }) as [number, number];
  return (to - from + minutesPerDay) % minutesPerDay;
}

export function WindowForm({ stored }: { stored: ResponseOf<typeof calls.queryUpgradeWindow> }) {
  const { t } = useTranslation('platform');
  const [isRefused, setIsRefused] = useState(false);
  const form = useSettingsForm({
    stored: { start: stored.start, end: stored.end },
    revision: stored.revision,
    update: calls.updateUpgradeWindow,
    refreshes: [calls.queryUpgradeWindow],
    toRequest: (values, revision) => ({ ...values, ...(revision === undefined ? {} : { revision }) }),
    savedText: t('window.saved'),
  });
  const { start, end } = form.values;
  const isLongEnough = start !== '' && end !== '' && windowMinutes(start, end) >= minUpgradeWindowHours * 60;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsRefused(!isLongEnough);
    if (isLongEnough) form.save();
  };
  const error = isRefused && !isLongEnough ? t('window.tooShort', { hours: minUpgradeWindowHours }) : undefined;
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <div className={classes.pair}>
        <TextInput
          type="time"
          label={t('window.start')}
          value={start}
          onChange={(event) => form.change({ start: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label={t('window.end')}
          value={end}
          onChange={(event) => form.change({ end: event.currentTarget.value })}
          error={error}
        />
      </div>
      <Text size="sm" c="dimmed" mt="xs">
        {t('window.clock', { time: formatTimestamp(stored.serverTime), zone: stored.timeZone })}
      </Text>
      <SettingsFooter form={form} />
    </form>
  );
}
