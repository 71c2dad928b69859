// One password, no user name. A stored credential is verified when the screen opens.
import { Button, Checkbox, Loader, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CapsLockHint, useCapsLock } from '../../ui/caps-lock.tsx';
import { FormIntro } from '../../ui/form-intro.tsx';
import { type LoginPhase, useAutoLogin, useLogin } from './use-login.ts';

export default function LoginPage() {
  const { t } = useTranslation('login');
  const { phase, submit } = useLogin();
  const isVerifying = useAutoLogin();
  const shown = isVerifying ? 'verifying' : phase;
  const [password, setPassword] = useState('');
  const [isPlain, setIsPlain] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const caps = useCapsLock();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit(password);
  };
  const onTogglePlain = (checked: boolean) => {
    setIsPlain(checked);
    field.current?.focus();
  };
  return (
    <form onSubmit={onSubmit}>
      <FormIntro title={t('title')}>{t('intro')}</FormIntro>
      <TextInput
        ref={field}
        type={isPlain ? 'text' : 'password'}
        label={t('password')}
        description={t('hint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        size="md"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        autoFocus
        {...caps.handlers}
      />
      <CapsLockHint isOn={caps.isOn} />
      <Checkbox
        mt="md"
        label={t('showPassword')}
        checked={isPlain}
        onChange={(event) => onTogglePlain(event.currentTarget.checked)}
      />
      <Button
        type="submit"
        size="md"
        fullWidth
        mt="lg"
        disabled={shown !== 'idle'}
        leftSection={<PhaseSign phase={shown} />}
      >
        {t(`submit.${shown}`)}
      </Button>
    </form>
  );
}

function PhaseSign({ phase }: { phase: LoginPhase | 'verifying' }) {
  if (phase === 'idle') return null;
  if (phase === 'accepted') return <IconCheck size={18} aria-hidden />;
  return <Loader size={16} color="currentColor" aria-hidden />;
}
