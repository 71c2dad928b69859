import type { LiveStream } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { formatBitrate } from '../format-bitrate.ts';
import classes from './streams.module.css';

export function StreamTotals({ streams }: { streams: readonly LiveStream[] }) {
  const { t, i18n } = useTranslation('streams');
  const sum = (pick: (stream: LiveStream) => number) => streams.reduce((total, stream) => total + pick(stream), 0);
  const number = (value: number) => value.toLocaleString(i18n.language);
  const rate = (kbps: number) => formatBitrate(kbps * 1_000, i18n.language);
  const totals = [
    ['streams', number(streams.length)],
    ['viewers', number(sum(({ viewers }) => viewers))],
    ['incoming', rate(sum(({ bitrateKbps }) => bitrateKbps))],
    ['outgoing', rate(sum(({ bitrateKbps, viewers }) => bitrateKbps * viewers))],
  ] as const;
  return (
    <dl className={classes.totals}>
      {totals.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`totals.${name}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
