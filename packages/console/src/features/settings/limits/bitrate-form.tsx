// Maximum bitrate of uploaded and remote sources.
import { NumberInput } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxSourceBitrateKbps } from '@srs-stack/contract/limits.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import classes from './limit.module.css';

/** The only field of this form. A save keeps the limit of cameras unchanged. */
const fields = ['vlive'] as const;
const isUsable = (kbps: number) => Number.isInteger(kbps) && kbps > 0 && kbps <= maxSourceBitrateKbps;

export function BitrateForm({ stored }: { stored: ResponseOf<typeof calls.queryLimits> }) {
  const { t } = useTranslation('limits');
  const [isRefused, setIsRefused] = useState(false);
  const form = useSettingsForm({
    stored: { vlive: stored.vlive, camera: stored.camera },
    revision: stored.revision,
    update: calls.updateLimits,
    refreshes: [calls.queryLimits],
    toRequest: ({ vlive, camera }, revision) => ({ vlive, camera, ...(revision === undefined ? {} : { revision }) }),
    savedText: t('bitrate.saved'),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const isRight = fields.every((field) => isUsable(form.values[field]));
    setIsRefused(!isRight);
    if (isRight) form.save();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <div className={classes.pair}>
        {fields.map((field) => (
          <NumberInput
            key={field}
            label={t(`bitrate.${field}`)}
            suffix=" Kbps"
            value={form.values[field]}
            clampBehavior="none"
            onChange={(value) => form.change({ [field]: Number(value) })}
            error={
              isRefused && !isUsable(form.values[field])
                ? t('bitrate.invalid', { max: maxSourceBitrateKbps })
                : undefined
            }
          />
        ))}
      </div>
      <SettingsFooter form={form} />
    </form>
  );
}
