// The enabled tasks with their state. Failing tasks come first.
import type { MonitorWorker, WorkerState } from '@srs-stack/contract';
import { IconCpu } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { languages } from '../../i18n/languages.ts';
import { useLocale, useScreenPath } from '../../navigation/current-locale.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge, type StatusState } from '../../ui/status-badge.tsx';
import classes from './dashboard.module.css';
import { useWorkerName } from './worker-name.ts';

const badges: Record<WorkerState, StatusState> = {
  idle: 'idle',
  waiting: 'connecting',
  starting: 'connecting',
  running: 'live',
  retrying: 'retrying',
  stopped: 'stopped',
  error: 'error',
};

export function WorkersPanel({ workers }: { workers: readonly MonitorWorker[] }) {
  const { t } = useTranslation('dashboard');
  return (
    <Panel title={t('workers.title')} description={t('workers.text')} icon={<IconCpu size={20} aria-hidden />}>
      {workers.length === 0 ? (
        <EmptyState compact icon={<IconCpu size={26} stroke={1.6} aria-hidden />} title={t('workers.none')}>
          {t('workers.noneText')}
        </EmptyState>
      ) : (
        <ul className={classes.workers} aria-label={t('workers.title')}>
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function WorkerRow({ worker }: { worker: MonitorWorker }) {
  const { t } = useTranslation(['dashboard', 'worker']);
  const nameOf = useWorkerName();
  const toScreen = useScreenPath();
  const language = languages[useLocale()].htmlLang;
  const { kind, label, platform, state, reason, restarts, cpuPercent, memoryBytes } = worker;
  const isWorking = state === 'running' || state === 'starting';
  return (
    <li>
      <div>
        <Link to={toScreen('scenario', `?tab=${kind}`)}>{nameOf(label || platform || 'transcode')}</Link>
        <span className={classes.note}>
          {t(`kind.${kind}`)}
          {restarts > 0 && ` · ${t('workers.restarts', { count: restarts })}`}
          {isWorking && ` · CPU ${Math.round(cpuPercent)}% · ${formatBytes(memoryBytes, language)}`}
        </span>
        {!isWorking && reason !== 'none' && <span className={classes.note}>{t(`worker:reason.${reason}.what`)}</span>}
      </div>
      <StatusBadge state={badges[state]} />
    </li>
  );
}
