// Form fields of a push target: the display name, and a checkbox that changes a built-in platform to a custom one.
import { Checkbox, TextInput } from '@mantine/core';
import { maxLabelLength } from '@srs-stack/contract/limits.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TargetFields } from './use-target-form.ts';

export interface LabelFieldsProps {
  fields: TargetFields;
  set: (change: Partial<TargetFields>) => void;
  labelError: string | undefined;
  /** An added target is always custom and has no checkbox. */
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
