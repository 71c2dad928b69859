// One text with a save button. An empty text restores the default. The text is displayed as plain text, never as markup.
import { TextInput } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxBeianTextLength } from '@srs-stack/contract/limits.ts';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useReportError } from '../../../shared/errors/error-report.tsx';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';

export interface BeianFormProps {
  field: 'title' | 'icp';
  current: string;
  placeholder: string;
}

export function BeianForm({ field, current, placeholder }: BeianFormProps) {
  const { t } = useTranslation('beian');
  const form = useSettingsForm({
    stored: { text: current },
    // The server gets this text as `previous` and refuses the save if another operator has changed it.
    revision: current,
    update: calls.updateBeian,
    refreshes: [calls.queryBeian],
    toRequest: ({ text }, previous) => ({
      beian: field,
      text: text.trim(),
      ...(previous === undefined ? {} : { previous }),
    }),
    savedText: t(`${field}.saved`),
    onFailure: useReportError(),
  });
  const { text } = form.values;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  return (
    <form onSubmit={onSubmit} style={{ maxWidth: '40rem' }} noValidate>
      <TextInput
        label={t(`${field}.label`)}
        value={text}
        placeholder={placeholder}
        maxLength={maxBeianTextLength}
        onChange={(event) => form.change({ text: event.currentTarget.value })}
      />
      <SettingsFooter form={form} />
    </form>
  );
}
