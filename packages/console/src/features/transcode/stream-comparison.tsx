// Metrics of the source and the transcoded stream side by side.
import type { LiveStream } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { audioCodecName, codecName } from '../../players/codec-name.ts';
import { formatBitrate } from '../../shared/format-bitrate.ts';
import { useLiveStreams } from '../../shared/live-streams.ts';
import { formatFps, formatSampleRate } from '../../shared/streams/format.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import type { OutputStream } from './output-stream.ts';
import classes from './transcode.module.css';

/** Poll interval, milliseconds; short enough for a live chart. */
const comparisonPollMs = 2_000;

export interface StreamComparisonProps {
  input: string;
  output: OutputStream | undefined;
  /** Configured video height in pixels; 0 keeps the height of the source. */
  height: number;
}

export function StreamComparison({ input, output, height }: StreamComparisonProps) {
  const { t } = useTranslation('transcode');
  const live = useLiveStreams({ intervalMs: comparisonPollMs });
  const find = (path: string) => live.data?.streams.find(({ app, stream }) => path.endsWith(`${app}/${stream}`));
  const source = find(input);
  const sourceHeight = source?.video?.height ?? 0;
  return (
    <>
      <div className={classes.comparison}>
        <StreamMetrics side="source" stream={source} />
        {output && <StreamMetrics side="result" stream={find(`${output.app}/${output.stream}`)} />}
      </div>
      {sourceHeight > 0 && sourceHeight < height && (
        <p className={classes.keptSize}>{t('comparison.keptSize', { source: sourceHeight, height })}</p>
      )}
    </>
  );
}

function StreamMetrics({ side, stream }: { side: 'source' | 'result'; stream: LiveStream | undefined }) {
  const { t, i18n } = useTranslation('transcode');
  if (stream === undefined) return null;
  const rate = formatBitrate(stream.bitrateKbps * 1_000, i18n.language);
  const { video, audio, fps } = stream;
  return (
    <div className={classes.figures} data-side={side}>
      <h3>{t(`comparison.${side}`)}</h3>
      <strong>{rate}</strong>
      <Sparkline values={stream.bitrateHistoryKbps} height={32} label={t('comparison.bitrate', { rate })} />
      {video && (
        <>
          <span data-strong>
            {video.width}×{video.height}
            {fps > 0 && ` · ${t('comparison.fps', { fps: formatFps(fps) })}`}
          </span>
          <span>{`${codecName(video.codec)} ${video.profile}`}</span>
        </>
      )}
      {audio && (
        <span>
          {audioCodecName(audio)} {formatSampleRate(audio.sampleRate)}{' '}
          {t('comparison.channels', { count: audio.channels })}
        </span>
      )}
    </div>
  );
}
