// Form that signs a playback link for a stream or pattern, then lists the stream's addresses with the signature.
import { Button, Select, TextInput } from '@mantine/core';
import type { RequestOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { defaultApp, defaultStreamName } from '@srs-stack/contract/constants.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '@srs-stack/contract/stream-pattern.ts';
import { IconSignature } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiMutation } from '../../../api/api-query.ts';
import { useEnvironment } from '../../../shared/environment.ts';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { formatTimestamp } from '../../../shared/format-time.ts';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { type LinkLife, linkLives, secondsOfLife } from '../../../shared/publish-guide/link-lives.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { monoInput } from '../../../ui/mono-input.ts';
import { linkedAddresses } from './linked-addresses.ts';
import classes from './watching.module.css';

export function LinkForm({ hasKey }: { hasKey: boolean }) {
  const { t } = useTranslation('watching');
  const [pattern, setPattern] = useState(`${defaultApp}/${defaultStreamName}`);
  const [life, setLife] = useState<LinkLife>('day');
  const [address, setAddress] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const make = useMutation(apiMutation(calls.createWatchLink));
  const request: RequestOf<typeof calls.createWatchLink> = {
    pattern: pattern.trim(),
    seconds: secondsOfLife[life],
    ...(address.trim() === '' ? {} : { address: address.trim() }),
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const isRight = isValidStreamPattern(request.pattern);
    setIsRefused(!isRight);
    if (isRight) make.mutate(request);
  };
  if (!hasKey) return <p className={classes.quiet}>{t('link.noKey')}</p>;
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <div className={classes.linkRow}>
        <TextInput
          label={t('link.pattern')}
          value={pattern}
          maxLength={maxStreamPatternLength}
          onChange={(event) => setPattern(event.currentTarget.value)}
          error={isRefused ? t('patternWrong') : undefined}
          autoComplete="off"
          spellCheck={false}
          styles={monoInput}
        />
        <Select
          label={t('link.life')}
          data={linkLives.map((value) => ({ value, label: t(`life.${value}`) }))}
          value={life}
          allowDeselect={false}
          onChange={(value) => setLife((value as LinkLife | null) ?? life)}
        />
        <TextInput
          label={t('link.address')}
          placeholder={t('link.anyAddress')}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          styles={monoInput}
        />
      </div>
      <Button mt="md" type="submit" leftSection={<IconSignature size={18} aria-hidden />} loading={make.isPending}>
        {t('link.make')}
      </Button>
      {make.error && <InlineFailure error={make.error} />}
      {make.data && <MadeLink pattern={make.variables.pattern} made={make.data} />}
      <EquivalentCall endpoint={calls.createWatchLink} request={request} />
    </form>
  );
}

function MadeLink({ pattern, made }: { pattern: string; made: { query: string; expiresAt: number } }) {
  const { t } = useTranslation('watching');
  const environment = useEnvironment();
  const until = t('link.until', { time: formatTimestamp(new Date(made.expiresAt * 1000).toISOString()) });
  const addresses = linkedAddresses({ pattern, query: made.query, environment, page: location });
  return (
    <div className={classes.made}>
      <p className={classes.quiet}>{until}</p>
      {addresses.map(({ name, url }) => (
        <CopyField key={url} label={name ?? t('link.page')} value={url} />
      ))}
      <CopyField label={t('link.query')} value={made.query} hint={t('link.queryHint')} />
    </div>
  );
}
