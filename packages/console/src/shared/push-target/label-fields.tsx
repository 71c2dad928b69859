// Display name of a push target, and a checkbox that turns a built-in platform into a custom platform.
import { Checkbox, TextInput } from '@mantine/core';
import { maxLabelLength } from '@srs-stack/contract/limits.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TargetFields } from './use-target-form.ts';

export interface LabelFieldsProps {
  fields: TargetFields;
  set: (change: Partial<TargetFields>) => void;
  labelError: string | undefined;
  /** False for added targets, which are always custom. */
  canBeCustom: boolean;
}

export function LabelFields({ fields, set, labelError, canBeCustom }: LabelFieldsProps) {
  const { t } = useTranslation('push-target');
  const label = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (labelError) label.current?.focus();
  }, [labelError]);
  return (
    <>
      <TextInput
        ref={label}
        label={t(fields.custom ? 'label.required' : 'label.optional')}
        placeholder={t('label.example')}
        value={fields.label}
        onChange={(event) => set({ label: event.currentTarget.value })}
        error={labelError}
        maxLength={maxLabelLength}
        autoComplete="off"
      />
      {canBeCustom && (
        <Checkbox
          label={t('custom.name')}
          description={t('custom.text')}
          checked={fields.custom}
          onChange={(event) => set({ custom: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
