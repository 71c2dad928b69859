// Shows the age of metrics that are no longer current.
import { useTranslation } from 'react-i18next';
import { useNow } from '../worker/use-now.ts';
import classes from './streams.module.css';

/** Age at which metrics count as stale, milliseconds: two polls and a slow network. */
const staleAfterMs = 6_000;

export function StaleMark({ receivedAtMs }: { receivedAtMs: number }) {
  const { t } = useTranslation('streams');
  const ageMs = useNow(true) - receivedAtMs;
  if (receivedAtMs === 0 || ageMs <= staleAfterMs) return null;
  return (
    <span className={classes.stale} role="status">
      {t('stale', { seconds: Math.round(ageMs / 1000) })}
    </span>
  );
}
