import { Button, Select, TextInput } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { defaultApp, defaultStreamName } from '@srs-stack/contract/constants.ts';
import { maxLabelLength } from '@srs-stack/contract/limits.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '@srs-stack/contract/stream-pattern.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation } from '../../../api/api-query.ts';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { monoInput } from '../../../ui/mono-input.ts';
import { showToast } from '../../../ui/toast.ts';
import classes from './stream-keys.module.css';

/** Validity periods in days; 0 means unlimited. */
const lives = { ever: 0, day: 1, week: 7, month: 30, year: 365 } as const;
type Life = keyof typeof lives;
const lifeNames = Object.keys(lives) as Life[];
const dayMs = 86_400_000;

export function StreamKeyForm() {
  const { t } = useTranslation('stream-keys');
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [pattern, setPattern] = useState(`${defaultApp}/${defaultStreamName}`);
  const [life, setLife] = useState<Life>('ever');
  const [isRefused, setIsRefused] = useState(false);
  const create = useMutation({
    ...apiMutation(calls.createStreamKey),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKey(calls.queryStreamKeys) });
      setName('');
      void showToast({ message: t('new.made') });
    },
  });
  const expiresAt = life === 'ever' ? null : new Date(Date.now() + lives[life] * dayMs).toISOString();
  const request = { name: name.trim(), pattern: pattern.trim(), expiresAt };
  const isPatternRight = isValidStreamPattern(request.pattern);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const isRight = request.name !== '' && isPatternRight;
    setIsRefused(!isRight);
    if (isRight) create.mutate(request);
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <div className={classes.fields}>
        <TextInput
          label={t('new.name')}
          placeholder={t('new.namePlaceholder')}
          value={name}
          maxLength={maxLabelLength}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isRefused && request.name === '' ? t('new.nameMissing') : undefined}
          autoComplete="off"
        />
        <TextInput
          label={t('new.pattern')}
          value={pattern}
          maxLength={maxStreamPatternLength}
          onChange={(event) => setPattern(event.currentTarget.value)}
          error={isRefused && !isPatternRight ? t('new.patternWrong') : undefined}
          autoComplete="off"
          spellCheck={false}
          styles={monoInput}
        />
        <Select
          label={t('new.life')}
          data={lifeNames.map((value) => ({ value, label: t(`life.${value}`) }))}
          value={life}
          allowDeselect={false}
          onChange={(value) => setLife((value as Life | null) ?? life)}
        />
      </div>
      {create.error && <InlineFailure error={create.error} />}
      <Button mt="md" type="submit" loading={create.isPending}>
        {t('new.create')}
      </Button>
      <EquivalentCall endpoint={calls.createStreamKey} request={request} />
    </form>
  );
}
