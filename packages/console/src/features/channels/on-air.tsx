// The current and the next item of a channel.
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../shared/format-time.ts';
import classes from './channels.module.css';
import type { ChannelState } from './queries.ts';

export function OnAir({ state: { now, next } }: { state: ChannelState }) {
  const { t, i18n } = useTranslation('channels');
  if (!now || !next) return null;
  const timeOf = (time: string) => formatClock(Date.parse(time), i18n.language);
  const titleOf = (slot: typeof now) => slot.title || t(slot.cause === 'filler' ? 'dark' : 'break');
  return (
    <dl className={classes.onAir}>
      <dt>{t('now')}</dt>
      <dd>
        <strong>{titleOf(now)}</strong> {t('until', { time: timeOf(now.endsAt) })}
      </dd>
      <dt>{t('next')}</dt>
      <dd>
        {titleOf(next)} {t('from', { time: timeOf(next.startsAt) })}
      </dd>
    </dl>
  );
}
