// Form for the streaming limit: unlimited, or a number of hours per month, counted from a selected day.
import { NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxUsageHours } from '@srs-stack/contract/limits.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import classes from './limit.module.css';

type Usage = ResponseOf<typeof calls.queryUsageLimit>;
const suggestedHours = 100;

export function UsageForm({ stored }: { stored: Usage }) {
  const { t } = useTranslation('limits');
  const [isRefused, setIsRefused] = useState(false);
  const form = useSettingsForm({
    stored: {
      isLimited: stored.totalHours !== null,
      hours: stored.totalHours ?? suggestedHours,
      day: stored.startDate,
    },
    revision: stored.revision,
    update: calls.updateUsageLimit,
    refreshes: [calls.queryUsageLimit],
    toRequest: ({ isLimited, hours, day }, revision) => ({
      totalHours: isLimited ? Number(hours) : null,
      startDate: day,
      ...(revision === undefined ? {} : { revision }),
    }),
    savedText: t('usage.saved'),
  });
  const { isLimited, hours, day } = form.values;
  const isUsable = !isLimited || (Number(hours) > 0 && Number(hours) <= maxUsageHours);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsRefused(!isUsable || day === '');
    if (isUsable && day !== '') form.save();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <Radio.Group
        label={t('usage.option')}
        value={isLimited ? 'limited' : 'unlimited'}
        onChange={(value) => form.change({ isLimited: value === 'limited' })}
      >
        <Stack gap="xs" mt="xs" mb="md">
          <Radio value="unlimited" label={t('usage.unlimited')} />
          <Radio value="limited" label={t('usage.limited')} />
        </Stack>
      </Radio.Group>
      <div className={classes.pair}>
        <NumberInput
          label={t('usage.total')}
          disabled={!isLimited}
          value={hours}
          min={0}
          max={maxUsageHours}
          clampBehavior="none"
          onChange={(value) => form.change({ hours: Number(value) })}
          error={isRefused && !isUsable ? t('usage.invalid', { max: maxUsageHours }) : undefined}
        />
        <TextInput
          type="date"
          label={t('usage.start')}
          description={t('usage.startHint')}
          value={day}
          onChange={(event) => form.change({ day: event.currentTarget.value })}
          error={isRefused && day === '' ? t('usage.startMissing') : undefined}
        />
      </div>
      <SettingsFooter form={form} />
    </form>
  );
}
