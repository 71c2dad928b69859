import { Button, Loader, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CapsLockHint, useCapsLock } from '../../ui/caps-lock.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FormIntro } from '../../ui/form-intro.tsx';
import { monoInput } from '../../ui/mono-input.ts';
import { generatePassword } from './generated-password.ts';
import { StrengthMeter } from './strength-meter.tsx';
import { useIsReadyForSetup, useSetup, useSetupTokenRequired } from './use-setup.ts';

export default function SetupPage() {
  const { t } = useTranslation('setup');
  const [suggested] = useState(() => generatePassword());
  const [password, setPassword] = useState(suggested);
  const [isMissing, setIsMissing] = useState(false);
  const [setupToken, setSetupToken] = useState('');
  const { isSubmitting, submit } = useSetup();
  const isReady = useIsReadyForSetup();
  const needsToken = useSetupTokenRequired();
  const caps = useCapsLock();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(password === '');
    if (password !== '') void submit({ password, ...(needsToken ? { setupToken } : {}) });
  };
  return (
    <form onSubmit={onSubmit}>
      <FormIntro title={t('title')}>{t('intro')}</FormIntro>
      <TextInput
        label={t('password')}
        size="md"
        value={password}
        onChange={(event) => {
          setIsMissing(false);
          setPassword(event.currentTarget.value);
        }}
        error={isMissing ? t('strength.empty') : undefined}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        rightSection={<CopyButton value={password} name={t('password')} />}
        rightSectionWidth={46}
        styles={monoInput}
        mb="xs"
        autoFocus
        {...caps.handlers}
      />
      {!isMissing && <StrengthMeter password={password} />}
      <CapsLockHint isOn={caps.isOn} />
      <Text size="sm" c="dimmed">
        {t(password === suggested ? 'hint' : 'ownHint')}
      </Text>
      {needsToken && (
        <TextInput
          label={t('setupToken')}
          description={t('setupTokenHint')}
          size="md"
          mt="md"
          value={setupToken}
          onChange={(event) => setSetupToken(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
      <Button
        type="submit"
        size="md"
        fullWidth
        mt="lg"
        leftSection={isSubmitting ? <Loader size={16} color="currentColor" aria-hidden /> : undefined}
        disabled={!isReady || isSubmitting}
      >
        {t(isSubmitting ? 'submitting' : isReady ? 'submit' : 'waiting')}
      </Button>
    </form>
  );
}
