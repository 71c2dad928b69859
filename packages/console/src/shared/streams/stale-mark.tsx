// Shows the age of the numbers when it is too high, so that stale ones are never shown without notice.
import { useTranslation } from 'react-i18next';
import { useNow } from '../worker/use-now.ts';
import classes from './streams.module.css';

/** Numbers older than this are marked, milliseconds: two polls and a slow network. */
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
