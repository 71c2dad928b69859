import type { LiveStream } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { Sparkline } from '../../ui/sparkline.tsx';
import { formatBitrate } from '../format-bitrate.ts';
import { formatBytes } from '../format-bytes.ts';
import { connectionMetrics } from './connection-metrics.ts';
import { formatDuration } from './format.ts';
import { Parts } from './parts.tsx';
import { audioParts, keyframeText, protocolName, videoParts, viewerParts } from './stream-parts.ts';
import classes from './streams.module.css';

export function DetailFacts({ stream }: { stream: LiveStream }) {
  const { t, i18n } = useTranslation('streams');
  const rateOf = (kbps: number) => formatBitrate(kbps * 1_000, i18n.language);
  const rate = rateOf(stream.bitrateKbps);
  const bytes = (value: number) => formatBytes(value, i18n.language);
  const { health } = stream;
  const perTrack = health
    ? [`${t('fact.video')} ${rateOf(health.videoKbps)}`, `${t('fact.audio')} ${rateOf(health.audioKbps)}`]
    : [];
  const connection = connectionMetrics(stream).map(({ kind, value }) => t(`figure.${kind}`, { ms: value, n: value }));
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['video', [...videoParts(stream), stream.video?.level ? `L${stream.video.level}` : '']],
    ['audio', [...audioParts(stream), stream.audio?.profile ?? '']],
    ['bitrate', [rate, ...perTrack]],
    ['keyframes', [keyframeText(stream) ?? (stream.video ? t('measuring') : '')]],
    ['publisher', [stream.publisherIp, protocolName(stream.publisherProtocol)]],
    ['uptime', [formatDuration(stream.uptimeMs)]],
    ['viewers', [stream.viewers.toLocaleString(i18n.language), ...viewerParts(stream, i18n.language)]],
    ['traffic', [t('received', { size: bytes(stream.receivedBytes) }), t('sent', { size: bytes(stream.sentBytes) })]],
    ['connection', connection],
    ['id', [stream.id]],
  ];
  return (
    <>
      <div className={classes.chart}>
        <Sparkline values={stream.bitrateHistoryKbps} label={t('bitrateLabel', { rate })} height={56} />
      </div>
      <dl className={classes.facts}>
        {facts
          .filter(([, values]) => values.some((value) => value !== ''))
          .map(([name, values]) => (
            <div key={name}>
              <dt>{t(`fact.${name as 'video'}`)}</dt>
              <dd>
                <Parts values={values} />
              </dd>
            </div>
          ))}
      </dl>
    </>
  );
}
