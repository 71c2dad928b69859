// Shows that viewers of a stream see its slate or its backup source, and since when; hidden while they see the source.
import type { LiveStream } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatClock } from '../format-time.ts';

export interface SlateBadgeProps {
  stream: Pick<LiveStream, 'slateForMs' | 'backupForMs'>;
}

export function SlateBadge({ stream: { slateForMs, backupForMs } }: SlateBadgeProps) {
  const { t, i18n } = useTranslation('streams');
  const sinceMs = slateForMs ?? backupForMs;
  if (sinceMs === undefined) return null;
  const kind = slateForMs === undefined ? 'backup' : 'slate';
  return (
    <span title={t(`${kind}Explained`)}>
      <StatusBadge state="attention">
        {t(`${kind}Since`, { time: formatClock(Date.now() - sinceMs, i18n.language) })}
      </StatusBadge>
    </span>
  );
}
