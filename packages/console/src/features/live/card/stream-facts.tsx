// The figures of a live stream: picture, sound, bitrate of the last minute, viewers, publisher.
import type { LiveStream } from '@srs-stack/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { codecName } from '../../../players/codec-name.ts';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { connectionFigures } from './connection-figures.ts';
import { formatDuration, formatFps, formatSampleRate } from './format.ts';
import classes from './live-card.module.css';

export interface StreamFactsProps {
  stream: LiveStream;
  uptimeMs: number;
}

export function StreamFacts({ stream, uptimeMs }: StreamFactsProps) {
  const { t, i18n } = useTranslation('live');
  const kbps = Math.round(stream.bitrateKbps).toLocaleString(i18n.language);
  return (
    <>
      <div className={classes.bitrate}>
        <div>
          <span className={classes.figure}>{kbps}</span> <span className={classes.unit}>kbps</span>
        </div>
        <Sparkline values={stream.bitrateHistoryKbps} label={t('card.bitrateLabel', { kbps })} />
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
  const ways = Object.entries(stream.viewersByProtocol).filter(([, count]) => count > 0);
  return (
    <>
      {ways.length > 0 ? ways.reduce((sum, [, count]) => sum + count, 0) : stream.viewers}
      <span className={classes.detail}>
        <Parts values={ways.map(([way, count]) => `${protocolName(way)} ${count}`)} none="" />
      </span>
    </>
  );
}

/** Round trip, loss and the like of protocols that measure them. */
function ConnectionFact({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live');
  const figures = connectionFigures(stream).map(({ kind, value }) => t(`card.figure.${kind}`, { ms: value, n: value }));
  if (figures.length === 0) return null;
  return (
    <div className={classes.wide}>
      <dt>{t('card.connection')}</dt>
      <dd>
        <Parts values={figures} none="" />
      </dd>
    </div>
  );
}

/** Short values in a row; the row breaks between them only. */
function Parts({ values, none }: { values: readonly string[]; none: string }) {
  const present = values.filter((value) => value !== '');
  if (present.length === 0) return none;
  return present.map((value, index) => (
    <span key={value}>
      {index > 0 && ' · '}
      <span className={classes.part}>{value}</span>
    </span>
  ));
}

function videoParts({ video, fps }: LiveStream): string[] {
  if (video === null) return [];
  const size = video.width > 0 ? `${video.width}×${video.height}` : '';
  return [codecName(video.codec), video.profile, size, fps > 0 ? `${formatFps(fps)} fps` : ''];
}

function audioParts({ audio }: LiveStream): string[] {
  if (audio === null) return [];
  const rate = audio.sampleRate > 0 ? formatSampleRate(audio.sampleRate) : '';
  return [codecName(audio.codec), rate, audio.channels > 0 ? `${audio.channels} ch` : ''];
}

/** As operators write it. */
function protocolName(protocol: string): string {
  return protocol === 'rtc' ? 'WebRTC' : protocol.toUpperCase();
}

function keyframeText({ keyframeIntervalMs }: LiveStream): string | undefined {
  return keyframeIntervalMs > 0 ? `${(keyframeIntervalMs / 1000).toFixed(1)} s` : undefined;
}
