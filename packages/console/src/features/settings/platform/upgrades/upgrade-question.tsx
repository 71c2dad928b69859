// Confirmation before an upgrade: the interrupted streams, the downtime, and a warning outside the upgrade window.
import { useTranslation } from 'react-i18next';
import classes from './upgrades.module.css';
import type { Release } from './use-upgrade.ts';

/** Maximum number of listed stream names; the dialog only counts further streams. */
const listedStreams = 5;

export interface UpgradeQuestionProps {
  release: Release;
  /** Live streams as `app/stream`. */
  streams: readonly string[];
  isWindowOpen: boolean | undefined;
}

export function UpgradeQuestion({ release, streams, isWindowOpen }: UpgradeQuestionProps) {
  const { t } = useTranslation('platform');
  const rest = streams.length - listedStreams;
  return (
    <div className={classes.question}>
      <p>{t('upgrade.ask.prepare', { version: release.version })}</p>
      <p>{t(streams.length > 0 ? 'upgrade.ask.interrupts' : 'upgrade.ask.nobody', { count: streams.length })}</p>
      {streams.length > 0 && (
        <ul>
          {streams.slice(0, listedStreams).map((stream) => (
            <li key={stream}>{stream}</li>
          ))}
          {rest > 0 && <li>{t('upgrade.more', { count: rest })}</li>}
        </ul>
      )}
      {isWindowOpen === false && <p>{t('upgrade.ask.outside')}</p>}
    </div>
  );
}
