// The sums over all streams: how many, who watches, what comes in and goes out.
import type { LiveStream } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import classes from './streams.module.css';

export function StreamTotals({ streams }: { streams: readonly LiveStream[] }) {
  const { t, i18n } = useTranslation('streams');
  const sum = (pick: (stream: LiveStream) => number) => streams.reduce((total, stream) => total + pick(stream), 0);
  const number = (value: number, digits = 0) => value.toLocaleString(i18n.language, { maximumFractionDigits: digits });
  const totals = [
    ['streams', number(streams.length)],
    ['viewers', number(sum(({ viewers }) => viewers))],
    ['incoming', `${number(sum(({ bitrateKbps }) => bitrateKbps) / 1000, 1)} Mbps`],
    ['outgoing', `${number(sum(({ bitrateKbps, viewers }) => bitrateKbps * viewers) / 1000, 1)} Mbps`],
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
