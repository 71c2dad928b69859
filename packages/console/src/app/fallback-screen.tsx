// Shown when the console itself fails: the error message and a retry button.
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DrawnLoginEnds } from '../first-paint/drawn-login-ends.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import classes from './access/loading-screen.module.css';

export function FallbackScreen({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <div className={classes.screen} role="alert">
      <BrandMark size={44} />
      <p>{messageOf(error)}</p>
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
