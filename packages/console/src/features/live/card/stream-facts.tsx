// Metrics of a live stream, such as video, audio, bitrate of the last minute, viewers and publisher.
import type { LiveStream } from '@srs-stack/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate } from '../../../shared/format-bitrate.ts';
import { connectionMetrics } from '../../../shared/streams/connection-metrics.ts';
import { formatDuration } from '../../../shared/streams/format.ts';
import { Parts } from '../../../shared/streams/parts.tsx';
import {
  audioParts,
  keyframeText,
  protocolName,
  videoParts,
  viewerParts,
} from '../../../shared/streams/stream-parts.ts';
import { Sparkline } from '../../../ui/sparkline.tsx';
import classes from './live-card.module.css';

export interface StreamFactsProps {
  stream: LiveStream;
  uptimeMs: number;
}

export function StreamFacts({ stream, uptimeMs }: StreamFactsProps) {
  const { t, i18n } = useTranslation('live');
  const rate = formatBitrate(stream.bitrateKbps * 1_000, i18n.language);
  const [number, unit] = rate.split(' ');
  return (
    <>
      <div className={classes.bitrate}>
        <div>
          <span className={classes.figure}>{number}</span> <span className={classes.unit}>{unit}</span>
        </div>
        <Sparkline values={stream.bitrateHistoryKbps} label={t('card.bitrateLabel', { rate })} />
      </div>
      <dl className={classes.facts}>
        <Fact name={t('card.viewers')} value={<Viewers stream={stream} />} />
        <Fact name={t('card.uptime')} value={formatDuration(uptimeMs)} />
        <Fact name={t('card.video')} value={<Parts values={videoParts(stream)} none={t('card.none')} />} />
        <Fact name={t('card.audio')} value={<Parts values={audioParts(stream)} none={t('card.none')} />} />
        <Fact name={t('card.keyframes')} value={keyframeText(stream) ?? t('card.measuring')} />
        <Fact
          name={t('card.publisher')}
          value={<Parts values={[stream.publisherIp, protocolName(stream.publisherProtocol)]} none="" />}
        />
        <ConnectionFact stream={stream} />
      </dl>
    </>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Viewers({ stream }: { stream: LiveStream }) {
  const { language } = useTranslation().i18n;
  const ways = Object.values(stream.viewersByProtocol).filter((count) => count > 0);
  const total = ways.length > 0 ? ways.reduce((sum, count) => sum + count, 0) : stream.viewers;
  return (
    <>
      {total.toLocaleString(language)}
      {ways.length > 0 && (
        <span className={classes.detail}>
          <Parts values={viewerParts(stream, language)} />
        </span>
      )}
    </>
  );
}

/** Metrics of the network connection, for protocols that measure round trip or loss. */
function ConnectionFact({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live');
  const metrics = connectionMetrics(stream).map(({ kind, value }) => t(`card.figure.${kind}`, { ms: value, n: value }));
  if (metrics.length === 0) return null;
  return (
    <div className={classes.wide}>
      <dt>{t('card.connection')}</dt>
      <dd>
        <Parts values={metrics} none="" />
      </dd>
    </div>
  );
}
