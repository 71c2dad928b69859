// One recording: poster, stream, time, duration, size, and actions.
import { ActionIcon, Button, Text, Tooltip } from '@mantine/core';
import type { ObjectTransfer, RecordRow } from '@srs-stack/contract';
import { IconDownload, IconPlayerPlayFilled, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../shared/format-time.ts';
import { useProblemText } from '../../shared/recording/problem-text.ts';
import { formatMegabytes, formatSeconds } from '../../shared/recording/recording-formats.ts';
import { RecordingProblem } from '../../shared/recording/recording-problem.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Item, ItemHeadline } from '../../ui/item-list.tsx';
import { StatusBadge, type StatusState } from '../../ui/status-badge.tsx';
import { useEndRecord, useRemoveRecord } from './queries.ts';
import classes from './record.module.css';
import { isOutOfReach, linksOf } from './recording-facts.ts';
import { KeepButton } from './recording-label.tsx';
import { RecordingPoster } from './recording-poster.tsx';
import { RecordingTransfer } from './recording-transfer.tsx';

const RecordingDetails = lazy(() => import('./recording-details.tsx'));

const badges = { recording: 'live', finishing: 'connecting', done: 'good', failed: 'error' } as const satisfies Record<
  RecordRow['state'],
  StatusState
>;

export interface RecordingRowProps {
  row: RecordRow;
  transfer?: ObjectTransfer | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

export function RecordingRow({ row, transfer, isOpen, onToggle }: RecordingRowProps) {
  const { t } = useTranslation('records');
  const name = `${row.app}/${row.stream}`;
  return (
    <Item className={classes.row} state={row.state} trouble={row.state === 'failed' ? 'failure' : undefined}>
      <button type="button" className={classes.picture} aria-expanded={isOpen} onClick={onToggle}>
        <RecordingPoster row={row} />
        {!isOutOfReach(row) && (
          <span className={classes.play}>
            <IconPlayerPlayFilled size={18} aria-hidden />
          </span>
        )}
        <span className={classes.hidden}>{t('row.play', { name })}</span>
      </button>
      <div className={classes.main}>
        <ItemHeadline name={name}>
          <StatusBadge state={badges[row.state]}>{t(`state.${row.state}`)}</StatusBadge>
          {row.clip && <StatusBadge state="idle">{t('row.clip')}</StatusBadge>}
          {row.part && <StatusBadge state="idle">{t('row.part', { number: row.part.number })}</StatusBadge>}
          {row.keep && <StatusBadge state="good">{t('label.kept')}</StatusBadge>}
          {row.node?.isAway && (
            <StatusBadge state="attention">{t('row.nodeAway', { name: row.node.name })}</StatusBadge>
          )}
          {row.place !== 'server' && <StatusBadge state="good">{t(`place.${row.place}`)}</StatusBadge>}
        </ItemHeadline>
        {row.title !== '' && (
          <Text size="sm" fw={600}>
            {row.title}
          </Text>
        )}
        <FactList
          facts={[
            [t('row.begin'), formatTimestamp(row.begin)],
            row.clip
              ? [t('row.clipEnd'), formatTimestamp(row.clip.to)]
              : [t('row.update'), formatTimestamp(row.update)],
            [t('row.duration'), formatSeconds(row.duration)],
            [t('row.size'), formatMegabytes(row.size)],
            [t('row.slices'), String(row.nn)],
            ...(row.node ? [[t('row.node'), row.node.name] as const] : []),
          ]}
        />
        <Problem row={row} />
        {transfer && <RecordingTransfer transfer={transfer} name={name} />}
      </div>
      <RowActions row={row} name={name} isFileAvailable={!isOutOfReach(row)} isNodeAvailable={!row.node?.isAway} />
      {isOpen && (
        <div className={classes.details}>
          <Suspense>
            <RecordingDetails row={row} />
          </Suspense>
        </div>
      )}
    </Item>
  );
}

function Problem({ row }: { row: RecordRow }) {
  const problem = useProblemText()(row);
  return problem ? <RecordingProblem message={problem.message}>{problem.sentence}</RecordingProblem> : null;
}

interface RowActionsProps {
  row: RecordRow;
  name: string;
  isFileAvailable: boolean;
  isNodeAvailable: boolean;
}

function RowActions({ row, name, isFileAvailable, isNodeAvailable }: RowActionsProps) {
  const { t } = useTranslation('records');
  const { download } = linksOf(row);
  const end = useEndRecord();
  const remove = useRemoveRecord();
  return (
    <div className={classes.actions}>
      {isNodeAvailable && <KeepButton row={row} name={name} />}
      {download && isFileAvailable && (
        <Tooltip label={t('row.download')}>
          <ActionIcon component="a" href={download} size="lg" aria-label={t('row.downloadOf', { name })}>
            <IconDownload size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {row.state === 'recording' && isNodeAvailable && (
        <ConfirmPopover text={t('row.endText', { name })} onConfirm={() => end.mutate({ uuid: row.uuid })}>
          <Button
            size="xs"
            variant="default"
            loading={end.isPending}
            leftSection={<IconPlayerStop size={14} aria-hidden />}
          >
            {t('row.end')}
          </Button>
        </ConfirmPopover>
      )}
      {!row.progress && isNodeAvailable && (
        <ConfirmPopover
          dangerous
          text={`${row.keep ? t('label.removeText') : ''} ${t(
            row.object === '' ? 'row.removeText' : 'row.removeTextBucket',
            {
              name,
              begin: formatTimestamp(row.begin),
            },
          )}`.trim()}
          onConfirm={() => remove.mutate({ uuid: row.uuid })}
        >
          <ActionIcon size="lg" aria-label={t('row.removeOf', { name })} loading={remove.isPending}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </ConfirmPopover>
      )}
    </div>
  );
}
