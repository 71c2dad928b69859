// One ladder: state, recent CPU use, renditions with their viewers, and the address of the multivariant playlist.
import { Alert } from '@mantine/core';
import type { LadderTask, RenditionRow } from '@srs-stack/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate } from '../../shared/format-bitrate.ts';
import { WorkerBadge } from '../../shared/worker/worker-badge.tsx';
import { WorkerPanel } from '../../shared/worker/worker-panel.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import classes from './ladder.module.css';

/** Number of values in the CPU curve: one every five seconds, for five minutes. */
const curveSlots = 60;

export function LadderCard({ task, asOfMs }: { task: LadderTask; asOfMs: number }) {
  const { t, i18n } = useTranslation('ladder');
  const facts = { ...task, enabled: true, platform: task.url };
  return (
    <article className={classes.card}>
      <header className={classes.cardHead}>
        <h3>{task.url}</h3>
        <WorkerBadge facts={facts} activeWord={t('status.running')} asOfMs={asOfMs} />
      </header>
      {task.isTooSlow && (
        <Alert variant="light" color="amber" p="sm" icon={<IconAlertTriangle aria-hidden />}>
          {t('status.tooSlow', { speed: task.speed.toLocaleString(i18n.language) })}
        </Alert>
      )}
      {task.pid > 0 && <Cost task={task} asOfMs={asOfMs} />}
      <Renditions rows={task.renditions} />
      {task.leftOut.length > 0 && (
        <ul className={classes.leftOut}>
          {task.leftOut.map(({ step, reason }) => (
            <li key={step}>
              <strong>{stepName(step, t)}</strong> {t(`leftOut.${reason}`)}
            </li>
          ))}
        </ul>
      )}
      <CopyField label={t('status.playlist')} value={`${location.origin}${task.playlist}`} />
      <WorkerPanel kind="transcode" row={facts} asOfMs={asOfMs} />
    </article>
  );
}

function Cost({ task, asOfMs }: { task: LadderTask; asOfMs: number }) {
  const { t, i18n } = useTranslation('ladder');
  const values = useCurve(task.cpuPercent / 100, asOfMs);
  const cores = (task.cpuPercent / 100).toLocaleString(i18n.language, { maximumFractionDigits: 2 });
  return (
    <div className={classes.curve}>
      <p>
        <strong>{t('cost.cores', { cores })}</strong>
        {task.speed > 0 && <span>{t('status.speed', { speed: task.speed.toLocaleString(i18n.language) })}</span>}
      </p>
      <Sparkline values={values} slots={curveSlots} height={36} label={t('status.curve', { cores })} />
    </div>
  );
}

function useCurve(value: number, asOfMs: number): readonly number[] {
  const [values, setValues] = useState<readonly number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response adds one value, even an equal one
  useEffect(() => setValues((before) => [...before, value].slice(-curveSlots)), [asOfMs]);
  return values;
}

function Renditions({ rows }: { rows: readonly RenditionRow[] }) {
  const { t, i18n } = useTranslation('ladder');
  const most = Math.max(1, ...rows.map(({ viewers }) => viewers));
  if (rows.length === 0) return null;
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('steps.step')}</th>
          <th scope="col">{t('status.picture')}</th>
          <th scope="col">{t('status.bitrate')}</th>
          <th scope="col">{t('status.viewers')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.step} data-off={!row.isLive || undefined}>
            <th scope="row">{stepName(row.step, t)}</th>
            <td>{sizeOf(row)}</td>
            <td className={classes.number}>
              {row.isLive && row.kbps > 0 ? formatBitrate(row.kbps * 1_000, i18n.language) : '–'}
            </td>
            <td className={classes.viewers}>
              <span style={{ inlineSize: `${(100 * row.viewers) / most}%` }} aria-hidden />
              {row.viewers}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function stepName(step: string, t: ReturnType<typeof useTranslation<'ladder'>>['t']): string {
  if (step === 'source') return t('steps.source');
  return step === 'audio' ? t('steps.audio') : step;
}

function sizeOf({ width, height, fps }: RenditionRow): string {
  const size = height > 0 ? [`${width}×${height}`] : [];
  return [...size, ...(fps > 0 ? [Math.round(fps)] : [])].join(' · ');
}
