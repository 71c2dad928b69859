// Shows the secret and replaces it; encoders that are publishing stay.
import { Button, Group, TextInput } from '@mantine/core';
import { maxPublishSecretLength } from '@srs-stack/contract';
import { IconDice5 } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../ui/copy-field.tsx';
import { showToast } from '../../ui/toast.ts';
import { generateSecret } from './generated-secret.ts';
import { useUpdatePublishSecret } from './queries.ts';

export function SecretForm({ current }: { current: string }) {
  const { t } = useTranslation('settings-auth');
  const [secret, setSecret] = useState('');
  const [isEmptyRefused, setIsEmptyRefused] = useState(false);
  const update = useUpdatePublishSecret(() => void showToast({ message: t('secret.saved') }));
  const change = (value: string) => {
    setSecret(value);
    setIsEmptyRefused(false);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (secret === '') setIsEmptyRefused(true);
    else update.mutate({ secret });
  };
  return (
    <form onSubmit={onSubmit} style={{ maxWidth: '40rem' }}>
      <CopyField label={t('secret.current')} value={current} secret />
      <TextInput
        mt="md"
        label={t('secret.next')}
        description={t('secret.nextHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={secret}
        maxLength={maxPublishSecretLength}
        onChange={(event) => change(event.currentTarget.value)}
        error={isEmptyRefused ? t('secret.empty') : undefined}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group mt="md" gap="sm">
        <Button type="submit" loading={update.isPending}>
          {t('secret.save')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDice5 size={18} aria-hidden />}
          onClick={() => change(generateSecret())}
        >
          {t('secret.generate')}
        </Button>
      </Group>
    </form>
  );
}
