// Login with a password only. A stored credential is verified when the page opens.
import { Button, Checkbox, Loader, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readDrawnLogin, type TypedBefore } from '../../first-paint/drawn-login.ts';
import { CapsLockHint, useCapsLock } from '../../ui/caps-lock.tsx';
import { FormIntro } from '../../ui/form-intro.tsx';
import { type LoginPhase, useAutoLogin, useLogin } from './use-login.ts';

export interface LoginPageProps {
  /** Whether the page is pre-rendered and its code has not loaded yet. The page then accepts input and shows that it is starting. */
  isStarting?: boolean;
}

export default function LoginPage({ isStarting = false }: LoginPageProps) {
  const { t } = useTranslation(['login', 'common']);
  const { phase, submit } = useLogin();
  const isVerifying = useAutoLogin();
  const shown = isStarting ? 'starting' : isVerifying ? 'verifying' : phase;
  const [password, setPassword] = useState('');
  const [isPlain, setIsPlain] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const caps = useCapsLock();
  useTakeOver((typed) => {
    setPassword(typed.password);
    setIsPlain(typed.isPlain);
    if (typed.isSubmitted && !isVerifying) void submit(typed.password);
  }, field);
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
        {shown === 'starting' ? t('common:loading') : t(`submit.${shown}`)}
      </Button>
    </form>
  );
}

/** Takes over the input and the caret of the pre-rendered page, which was visible while this page was loading. */
function useTakeOver(take: (typed: TypedBefore) => void, field: RefObject<HTMLInputElement | null>): void {
  const latest = useRef(take);
  latest.current = take;
  useLayoutEffect(() => {
    const typed = readDrawnLogin();
    if (!typed) return;
    latest.current(typed);
    field.current?.focus();
  }, [field]);
}

function PhaseSign({ phase }: { phase: LoginPhase | 'verifying' | 'starting' }) {
  if (phase === 'idle') return null;
  if (phase === 'accepted') return <IconCheck size={18} aria-hidden />;
  return <Loader size={16} color="currentColor" aria-hidden />;
}
