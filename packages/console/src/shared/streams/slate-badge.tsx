// Badge of a stream whose viewers see a slate, a backup source or a spare encoder. While viewers see the main source, the badge reports a
// connected spare encoder.
import type { LiveStream } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatClock } from '../format-time.ts';

export interface SlateBadgeProps {
  stream: Pick<LiveStream, 'slateForMs' | 'backupForMs' | 'spares'>;
}

export function SlateBadge({ stream: { slateForMs, backupForMs, spares = [] } }: SlateBadgeProps) {
  const { t, i18n } = useTranslation('streams');
  const sinceMs = slateForMs ?? backupForMs;
  if (sinceMs === undefined) {
    if (spares.length === 0) return null;
    return (
      <span title={t('spareReadyExplained')}>
        <StatusBadge state="idle">{t('spareReady', { count: spares.length })}</StatusBadge>
      </span>
    );
  }
  const backup = spares.some(({ isOnAir }) => isOnAir) ? 'spare' : 'backup';
  const kind = slateForMs === undefined ? backup : 'slate';
  return (
    <span title={t(`${kind}Explained`)}>
      <StatusBadge state="attention">
        {t(`${kind}Since`, { time: formatClock(Date.now() - sinceMs, i18n.language) })}
      </StatusBadge>
    </span>
  );
}
