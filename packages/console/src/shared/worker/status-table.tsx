// Table of tasks with their states in the last hour, and the reason why a task fails or waits. Phones show a card per task.
import { UnstyledButton } from '@mantine/core';
import type { WirePhrase, WorkerHeartbeat } from '@srs-stack/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../format-time.ts';
import { HeartbeatBar } from './heartbeat-bar.tsx';
import { PushMetrics, type PushMetricsProps } from './push-metrics.tsx';
import classes from './status-table.module.css';
import { WorkerBadge } from './worker-badge.tsx';
import type { WorkerFacts } from './worker-phase.ts';
import { WorkerReasonNote } from './worker-reason.tsx';

interface StatusRow {
  key: string;
  name: string;
  logo: ReactNode;
  facts: WorkerFacts;
  reasonDetail: string;
  detail?: WirePhrase | undefined;
  heartbeat: readonly WorkerHeartbeat[];
  push?: PushMetricsProps['row']['push'];
  lastError?: PushMetricsProps['row']['lastError'];
  /** Source stream or file; '' while the task does not run. */
  source: string;
}

export interface StatusTableProps {
  label: string;
  rows: readonly StatusRow[];
  activeWord: string;
  asOfMs: number;
  onOpen: (key: string) => void;
}

export function StatusTable({ label, rows, activeWord, asOfMs, onOpen }: StatusTableProps) {
  const { t } = useTranslation('worker');
  const columns = ['number', 'platform', 'status', 'update', 'source', 'logging'] as const;
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" data-column={column}>
              {t(`column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map((row, index) => (
        <Row key={row.key} row={row} number={index + 1} {...{ activeWord, asOfMs, onOpen }} />
      ))}
    </table>
  );
}

function Row({ row, number, activeWord, asOfMs, onOpen }: RowProps) {
  const { t } = useTranslation('worker');
  const { facts } = row;
  const update = facts.enabled ? (facts.frame?.update ?? '') : '';
  const log = facts.enabled ? (facts.frame?.log ?? '') : '';
  return (
    <tbody className={classes.row}>
      <tr>
        <td data-column="number">{number}</td>
        <td data-column="platform">
          <UnstyledButton
            className={classes.name!}
            onClick={() => onOpen(row.key)}
            aria-label={t('toTarget', { name: row.name })}
          >
            {row.logo}
            <span>{row.name}</span>
          </UnstyledButton>
        </td>
        <td data-column="status">
          <span role="status">
            <WorkerBadge facts={facts} activeWord={activeWord} asOfMs={asOfMs} />
          </span>
        </td>
        <td data-column="update" data-label={t('column.update')} data-empty={!update || undefined}>
          {formatTimestamp(update)}
        </td>
        <td data-column="source" data-label={t('column.source')} data-empty={!row.source || undefined}>
          {row.source || '–'}
        </td>
        <td data-column="logging" data-label={t('column.logging')} data-empty={!log || undefined}>
          <code title={log}>{log || '–'}</code>
        </td>
      </tr>
      {facts.enabled && (
        <tr>
          <td colSpan={6} data-column="detail">
            <div className={classes.detail}>
              <WorkerReasonNote facts={facts} reported={row} />
              <PushMetrics row={{ ...facts, push: row.push, lastError: row.lastError }} />
              <HeartbeatBar heartbeat={row.heartbeat} asOfMs={asOfMs} />
            </div>
          </td>
        </tr>
      )}
    </tbody>
  );
}

interface RowProps extends Pick<StatusTableProps, 'activeWord' | 'asOfMs' | 'onOpen'> {
  row: StatusRow;
  number: number;
}
