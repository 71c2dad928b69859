// Source and result side by side, as the media server measures them: what transcoding changed.
import type { LiveStream } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { codecName } from '../../players/codec-name.ts';
import { useLiveStreams } from '../../shared/live-streams.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import type { OutputStream } from './output-stream.ts';
import classes from './transcode.module.css';

/** Often enough for a live curve, milliseconds. */
const comparisonPollMs = 2_000;

export interface StreamComparisonProps {
  /** `app/stream` of the source. */
  input: string;
  output: OutputStream | undefined;
}

export function StreamComparison({ input, output }: StreamComparisonProps) {
  const live = useLiveStreams({ intervalMs: comparisonPollMs });
  const find = (path: string) => live.data?.streams.find(({ app, stream }) => path.endsWith(`${app}/${stream}`));
  return (
    <div className={classes.comparison}>
      <StreamFigures side="source" stream={find(input)} />
      {output && <StreamFigures side="result" stream={find(`${output.app}/${output.stream}`)} />}
    </div>
  );
}

function StreamFigures({ side, stream }: { side: 'source' | 'result'; stream: LiveStream | undefined }) {
  const { t, i18n } = useTranslation('transcode');
  if (stream === undefined) return null;
  const kbps = Math.round(stream.bitrateKbps).toLocaleString(i18n.language);
  const { video, audio } = stream;
  return (
    <div className={classes.figures} data-side={side}>
      <h3>{t(`comparison.${side}`)}</h3>
      <strong>
        {kbps} <small>kbps</small>
      </strong>
      <Sparkline values={stream.bitrateHistoryKbps} height={32} label={t('comparison.bitrate', { kbps })} />
      <span>{video && `${codecName(video.codec)} ${video.profile} ${video.width}×${video.height}`}</span>
      <span>{audio && `${codecName(audio.codec)} ${audio.sampleRate} Hz ${audio.channels} ch`}</span>
    </div>
  );
}
