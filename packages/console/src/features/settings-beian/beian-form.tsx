// One of the texts, with its own save button.

import { Button, TextInput } from '@mantine/core';
import { endpoints, maxBeianTextLength } from '@srs-stack/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation } from '../../api/api-query.ts';
import { useReportError } from '../../app/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';

export interface BeianFormProps {
  field: 'title' | 'icp';
  current: string;
  placeholder: string;
}

export function BeianForm({ field, current, placeholder }: BeianFormProps) {
  const { t } = useTranslation(['settings-beian', 'common']);
  const client = useQueryClient();
  const [text, setText] = useState(current);
  const isUnchanged = text.trim() === current || text.trim() === '';
  const update = useMutation({
    ...apiMutation(endpoints.updateBeian),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKey(endpoints.queryBeian) });
      await showToast({ message: t(`${field}.saved`) });
    },
    onError: useReportError(),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ beian: field, text: text.trim() });
  };
  return (
    <form onSubmit={onSubmit} style={{ maxWidth: '40rem' }}>
      <TextInput
        label={t(`${field}.label`)}
        value={text}
        placeholder={placeholder}
        maxLength={maxBeianTextLength}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" mt="md" loading={update.isPending} disabled={isUnchanged}>
        {t('common:save')}
      </Button>
    </form>
  );
}
