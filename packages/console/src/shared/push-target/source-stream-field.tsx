// Selects the live stream to send: the newest, or a fixed name.
import { Autocomplete } from '@mantine/core';
import { maxNameLength } from '@srs-stack/contract/limits.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveStreams } from '../live-streams.ts';
import { offeredChoices } from './offered-choices.ts';

export interface SourceStreamFieldProps {
  /** Stream name; '' for the newest stream. */
  value: string;
  onChange: (stream: string) => void;
  error: string | undefined;
}

export function SourceStreamField({ value, onChange, error }: SourceStreamFieldProps) {
  const { t } = useTranslation('push-target');
  const input = useRef<HTMLInputElement>(null);
  const live = useLiveStreams();
  const names = [...new Set((live.data?.streams ?? []).map(({ stream }) => stream))];
  useEffect(() => {
    if (error) input.current?.focus();
  }, [error]);
  return (
    <Autocomplete
      ref={input}
      label={t('source.label')}
      description={t('source.text')}
      placeholder={t('source.newest')}
      value={value}
      onChange={onChange}
      error={error}
      data={names}
      filter={offeredChoices}
      openOnFocus={false}
      maxLength={maxNameLength}
      autoComplete="off"
      spellCheck={false}
      clearable
      clearButtonProps={{ 'aria-label': t('source.clear') }}
    />
  );
}
