// Accordion item 1: the API key of the cloud. The server returns the id of the key, but never the secret part.
import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { CloudAccount } from '@srs-stack/contract';
import { maxCloudSecretLength } from '@srs-stack/contract/limits.ts';
import { IconAlertTriangle, IconKey } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { FactList } from '../../ui/fact-list.tsx';
import { monoInput, monoSecret } from '../../ui/mono-input.ts';
import classes from './cloud-recording.module.css';
import { type CloudKind, useCloudAccount, useSaveSecret } from './queries.ts';
import { accessManagementUrl } from './regions.ts';

export function CloudSecret({ kind, isSet, isVodReady }: { kind: CloudKind; isSet: boolean; isVodReady: boolean }) {
  const { t } = useTranslation('cloud-recording');
  const account = useCloudAccount().data;
  return (
    <Stack gap="lg">
      <Text size="sm">
        <Trans
          t={t}
          i18nKey="account.how"
          components={{
            site: <Anchor href={accessManagementUrl} target="_blank" rel="noreferrer" underline="always" inherit />,
          }}
        />
      </Text>
      {isSet && account && <AccountFacts account={account} />}
      {isSet && kind === 'vod' && !isVodReady && (
        <Alert variant="light" color="amber" role="alert" icon={<IconAlertTriangle aria-hidden />}>
          {t('account.vodNotReady')}
        </Alert>
      )}
      <SecretForm isSet={isSet} />
    </Stack>
  );
}

function AccountFacts({ account }: { account: CloudAccount }) {
  const { t } = useTranslation('cloud-recording');
  const shown = (value: string) => value || t('account.none');
  const facts = [
    [t('account.current'), shown(account.secretId)],
    [t('account.bucket'), shown(account.bucket)],
    [t('account.region'), shown(account.region)],
    [t('account.application'), shown(account.application)],
    [t('account.storageRegion'), shown(account.storageRegion)],
  ] as const;
  return <FactList facts={facts} tiles="names" />;
}

function SecretForm({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation('cloud-recording');
  const save = useSaveSecret();
  const [secretId, setSecretId] = useState('');
  const [secretKey, setSecretKey] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const secret = { secretId: secretId.trim(), secretKey: secretKey.trim() };
    setIsRefused(secret.secretId === '' || secret.secretKey === '');
    if (secret.secretId === '' || secret.secretKey === '') return;
    const forget = () => {
      setSecretId('');
      setSecretKey('');
    };
    save.mutate(secret, { onSuccess: forget });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <Stack gap="sm">
        <TextInput
          label={t('account.secretId')}
          value={secretId}
          maxLength={maxCloudSecretLength}
          onChange={(event) => setSecretId(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          styles={monoInput}
        />
        <PasswordInput
          label={t('account.secretKey')}
          value={secretKey}
          maxLength={maxCloudSecretLength}
          onChange={(event) => setSecretKey(event.currentTarget.value)}
          autoComplete="new-password"
          spellCheck={false}
          styles={monoSecret}
          error={isRefused && t('account.missingValue')}
        />
        <Group>
          <Button type="submit" loading={save.isPending} leftSection={<IconKey size={16} aria-hidden />}>
            {t(isSet ? 'account.replace' : 'account.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
