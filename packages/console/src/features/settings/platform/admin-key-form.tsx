// Grants or revokes access for the platform administrator's SSH key. Other keys in AUTHORIZED_KEYS_FILE stay unchanged.
import { Alert, Button, Code, Text, Textarea } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxPublicKeyLength } from '@srs-stack/contract/limits.ts';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useErrorTexts } from '../../../shared/errors/error-texts.ts';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { monoInput } from '../../../ui/mono-input.ts';
import classes from './platform.module.css';

type Stored = ResponseOf<typeof calls.queryAdminKey>;

export function AdminKeyForm({ stored }: { stored: Stored }) {
  const { t } = useTranslation('platform');
  if (stored.file === '') {
    return (
      <EmptyState
        compact
        icon={<IconPlugConnectedX size={26} stroke={1.6} aria-hidden />}
        title={t('key.notConfigured.title')}
      >
        <Trans t={t} i18nKey="key.notConfigured.text" components={{ code: <Code /> }} />
      </EmptyState>
    );
  }
  return <KeyForm stored={stored} />;
}

function KeyForm({ stored }: { stored: Stored }) {
  const { t } = useTranslation(['platform', 'errors']);
  const { textOf } = useErrorTexts();
  const [isMissing, setIsMissing] = useState(false);
  const grant = useSettingsForm({
    stored: { key: stored.key },
    revision: stored.revision,
    update: calls.updateAdminKey,
    refreshes: [calls.queryAdminKey],
    toRequest: ({ key }, revision) => ({
      key: key.trim(),
      enable: true,
      ...(revision === undefined ? {} : { revision }),
    }),
    savedText: t('key.savedGranted'),
  });
  const deny = useSettingsForm({
    stored: {},
    revision: stored.revision,
    update: calls.updateAdminKey,
    refreshes: [calls.queryAdminKey],
    toRequest: (_values, revision) => ({ enable: false, ...(revision === undefined ? {} : { revision }) }),
    savedText: t('key.savedDenied'),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = grant.values.key.trim() === '';
    setIsMissing(isEmpty);
    if (!isEmpty) grant.save();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      {stored.problem !== '' && (
        <Alert
          role="alert"
          color="broken"
          variant="light"
          mb="md"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('errors:explained.keyFileUnusable.what')}
        >
          {textOf({ message: stored.problem, reason: stored.reason }, false)}
        </Alert>
      )}
      <Textarea
        label={t('key.label')}
        description={t('key.hint')}
        placeholder="ssh-ed25519 AAAA… name@machine"
        rows={3}
        value={grant.values.key}
        maxLength={maxPublicKeyLength}
        onChange={(event) => {
          setIsMissing(false);
          grant.change({ key: event.currentTarget.value });
        }}
        error={isMissing ? t('key.missing') : undefined}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
      />
      <Text size="sm" c="dimmed" mt="xs" style={{ overflowWrap: 'anywhere' }}>
        {t('key.file', { file: stored.file, count: stored.otherKeys })}
      </Text>
      {stored.fingerprint !== '' && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('key.fingerprint', { fingerprint: stored.fingerprint })}
        </Text>
      )}
      <SettingsFooter form={{ ...grant, error: grant.error ?? deny.error }} saveLabel={t('key.grant')}>
        {stored.granted && (
          <ConfirmPopover dangerous text={t('key.confirmDeny')} onConfirm={deny.save}>
            <Button color="amber" variant="outline" loading={deny.isSaving}>
              {t('key.deny')}
            </Button>
          </ConfirmPopover>
        )}
      </SettingsFooter>
    </form>
  );
}
