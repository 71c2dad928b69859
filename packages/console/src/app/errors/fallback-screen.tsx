// The last resort: nothing of the console can be shown, only the error's message and the way to try again.
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DrawnLoginEnds } from '../../first-paint/drawn-login-ends.ts';
import classes from '../access/loading-screen.module.css';
import { BrandMark } from '../shell/brand-mark.tsx';
import { useErrorWords } from './error-words.ts';

export function FallbackScreen({ error }: { error: unknown }) {
  const { t } = useTranslation();
  // The texts of errors may be what could not be fetched.
  const { ready } = useTranslation('errors', { useSuspense: false });
  const { lineOf } = useErrorWords();
  return (
    <div className={classes.screen} role="alert">
      <BrandMark size={44} />
      <p>{ready ? lineOf(error) : messageOf(error)}</p>
      <Button variant="default" onClick={() => window.location.reload()}>
        {t('reload')}
      </Button>
      <DrawnLoginEnds />
    </div>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
