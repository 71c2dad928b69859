import { IconCircleCheck } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Sparkline } from '../../ui/sparkline.tsx';
import { formatBitrate } from '../format-bitrate.ts';
import { findingSigns, useFindingTexts } from '../stream-health/finding-note.tsx';
import type { ArrangedStream } from './arrange-streams.ts';
import { formatDuration } from './format.ts';
import { Parts } from './parts.tsx';
import { SlateBadge } from './slate-badge.tsx';
import { audioParts, protocolName, videoParts, viewerParts } from './stream-parts.ts';
import { StreamThumbnail } from './stream-thumbnail.tsx';
import classes from './streams.module.css';

export interface StreamRowProps {
  row: ArrangedStream;
  isOpen: boolean;
  onOpen: (path: string) => void;
}

export const StreamRow = memo(function StreamRow({ row, isOpen, onOpen }: StreamRowProps) {
  const { t, i18n } = useTranslation('streams');
  const { stream, path } = row;
  const rate = formatBitrate(stream.bitrateKbps * 1_000, i18n.language);
  return (
    <li className={classes.row} data-open={isOpen || undefined}>
      <StreamThumbnail stream={stream} />
      <div className={classes.identity}>
        <button type="button" className={classes.open} aria-expanded={isOpen} onClick={() => onOpen(path)}>
          {path}
        </button>
        <span className={classes.muted}>
          <span className={classes.protocol}>{protocolName(stream.publisherProtocol) || '–'}</span>
          {stream.publisherIp}
        </span>
        <SlateBadge stream={stream} />
      </div>
      <div className={classes.media}>
        <span>
          <Parts values={videoParts(stream)} none={t('noVideo')} />
        </span>
        <span className={classes.muted}>
          <Parts values={audioParts(stream)} none={t('noAudio')} />
        </span>
      </div>
      <div className={classes.rate}>
        <Sparkline values={stream.bitrateHistoryKbps} label={t('bitrateLabel', { rate })} height={30} />
        <span className={classes.figure}>{rate}</span>
      </div>
      <div className={classes.audience}>
        <span className={classes.figure}>{t('viewers', { count: stream.viewers })}</span>
        <span className={classes.muted}>
          <Parts values={viewerParts(stream, i18n.language)} />
        </span>
      </div>
      <span className={classes.uptime} title={t('uptime')}>
        {formatDuration(stream.uptimeMs)}
      </span>
      <Health findings={row.findings} />
    </li>
  );
});

function Health({ findings }: Pick<ArrangedStream, 'findings'>) {
  const { t } = useTranslation('streams');
  const textsOf = useFindingTexts();
  const worst = findings[0];
  if (!worst) {
    return (
      <span className={classes.health} data-severity="fine">
        <IconCircleCheck size={16} aria-hidden />
        {t('healthy')}
      </span>
    );
  }
  const Sign = findingSigns[worst.severity];
  return (
    <span className={classes.health} data-severity={worst.severity}>
      <Sign size={16} aria-hidden />
      <span>
        {textsOf(worst).what}
        {findings.length > 1 && <b> +{findings.length - 1}</b>}
      </span>
    </span>
  );
}
