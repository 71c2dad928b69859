// Whether upgrades are allowed now, when this changes, and how many streams an upgrade would interrupt.
import type { ResponseOf } from '@srs-stack/contract';
import type { calls } from '@srs-stack/contract/calls.ts';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../shared/format-time.ts';
import classes from './platform.module.css';

export function WindowStatus({ window }: { window: ResponseOf<typeof calls.queryUpgradeWindow> }) {
  const { t } = useTranslation('platform');
  const when = { opensAt: formatTimestamp(window.opensAt), closesAt: formatTimestamp(window.closesAt) };
  return (
    <div className={classes.status}>
      <p>{t(window.isOpen ? 'window.isOpen' : 'window.opensAt', when)}</p>
      <p>{t('window.interrupts', { count: window.liveStreams })}</p>
    </div>
  );
}
