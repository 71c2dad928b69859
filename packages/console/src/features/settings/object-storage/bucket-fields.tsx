import { Alert, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import {
  maxBucketKeyLength,
  maxBucketNameLength,
  maxBucketPrefixLength,
  maxBucketRegionLength,
  maxTargetUrlLength,
} from '@srs-stack/contract/limits.ts';
import { IconLockOpen } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { monoInput } from '../../../ui/mono-input.ts';
import { type BucketDraft, isPlainHttp, type MissingField } from './bucket-draft.ts';
import {
  type BucketProvider,
  bucketProviders,
  changesOfProvider,
  providerFacts,
  providerNames,
  providerOf,
} from './bucket-providers.ts';
import classes from './object-storage.module.css';
import type { ObjectStorage } from './queries.ts';

export interface BucketFieldsProps {
  stored: ObjectStorage;
  values: BucketDraft;
  missing: readonly MissingField[];
  onChange: (part: Partial<BucketDraft>) => void;
}

const plainText = { autoComplete: 'off', spellCheck: false, styles: monoInput } as const;

export function BucketFields({ stored, values, missing, onChange }: BucketFieldsProps) {
  const { t } = useTranslation('object-storage');
  const [chosen, setChosen] = useState<BucketProvider>();
  const known = providerOf(values.endpoint);
  // A known provider of the typed address overrides the selection. The address of self-hosted software reveals no provider.
  const provider = known === null || known === 'other' ? (chosen ?? known) : known;
  const facts = providerFacts[provider ?? 'other'];
  const choose = (next: BucketProvider) => {
    setChosen(next);
    onChange(changesOfProvider(next, values));
  };
  const errorOf = (field: MissingField) => (missing.includes(field) ? t('missing') : undefined);
  const text = (field: 'endpoint' | 'region' | 'bucket' | 'prefix') => ({
    ...plainText,
    label: t(`${field}.label`),
    description: t(`${field}.hint`),
    value: values[field],
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [field]: event.currentTarget.value }),
  });
  return (
    <>
      <ProviderSelect provider={provider} onChoose={choose} />
      <TextInput
        {...text('endpoint')}
        placeholder={facts.endpoint}
        inputMode="url"
        maxLength={maxTargetUrlLength}
        error={errorOf('endpoint')}
      />
      {isPlainHttp(values.endpoint) && (
        <Alert color="amber" variant="light" p="sm" icon={<IconLockOpen aria-hidden />}>
          {t('endpoint.plain')}
        </Alert>
      )}
      <div className={classes.pair}>
        <TextInput {...text('bucket')} maxLength={maxBucketNameLength} error={errorOf('bucket')} />
        <TextInput {...text('region')} placeholder={facts.region} maxLength={maxBucketRegionLength} />
      </div>
      <TextInput {...text('prefix')} placeholder="recordings/" maxLength={maxBucketPrefixLength} />
      <Switch
        aria-label={t('pathStyle.label')}
        checked={values.pathStyle}
        onChange={(event) => onChange({ pathStyle: event.currentTarget.checked })}
        label={t('pathStyle.label')}
        description={t('pathStyle.hint')}
      />
      <div className={classes.pair}>
        <TextInput
          {...plainText}
          label={t('accessKey.label')}
          description={stored.accessKey ? t('accessKey.kept', { key: stored.accessKey }) : t('accessKey.hint')}
          value={values.accessKey}
          maxLength={maxBucketKeyLength}
          onChange={(event) => onChange({ accessKey: event.currentTarget.value })}
          error={errorOf('accessKey')}
        />
        <PasswordInput
          label={t('secretKey.label')}
          description={t(stored.hasSecretKey ? 'secretKey.kept' : 'secretKey.hint')}
          value={values.secretKey}
          maxLength={maxBucketKeyLength}
          autoComplete="new-password"
          onChange={(event) => onChange({ secretKey: event.currentTarget.value })}
          error={errorOf('secretKey')}
        />
      </div>
    </>
  );
}

interface ProviderSelectProps {
  provider: BucketProvider | null;
  onChoose: (provider: BucketProvider) => void;
}

function ProviderSelect({ provider, onChoose }: ProviderSelectProps) {
  const { t } = useTranslation('object-storage');
  const nameOf = (each: BucketProvider) => (each === 'other' ? t('provider.other') : providerNames[each]);
  return (
    <Select
      label={t('provider.label')}
      description={t('provider.hint')}
      placeholder={t('provider.choose')}
      data={bucketProviders.map((value) => ({ value, label: nameOf(value) }))}
      value={provider}
      allowDeselect={false}
      onChange={(value) => value && onChoose(value as BucketProvider)}
    />
  );
}
