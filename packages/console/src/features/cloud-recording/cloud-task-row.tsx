// One task: stream, upload progress, blocking problem, and playback address.
import { ActionIcon, Button, Progress } from '@mantine/core';
import { cloudLinkPrefixes } from '@srs-stack/contract/constants.ts';
import { IconMovie, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../shared/format-time.ts';
import { formatMegabytes, formatSeconds } from '../../shared/recording/recording-formats.ts';
import { RecordingProblem } from '../../shared/recording/recording-problem.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Item, ItemHeadline } from '../../ui/item-list.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { cloudCodeText } from './cloud-codes.ts';
import classes from './cloud-recording.module.css';
import { type CloudKind, type CloudTask, useRemoveCloudTask } from './queries.ts';

const badges = { recording: 'live', uploading: 'connecting', done: 'good' } as const;

export function CloudTaskRow({ kind, row }: { kind: CloudKind; row: CloudTask }) {
  const { t } = useTranslation('cloud-recording');
  const name = `${row.app}/${row.stream}`;
  const codeText = cloudCodeText(row.problemCode);
  return (
    <Item state={row.state} trouble={row.problemKind ? 'attention' : undefined}>
      <ItemHeadline name={name}>
        <StatusBadge state={row.problemKind && row.state !== 'done' ? 'retrying' : badges[row.state]}>
          {t(`state.${row.state}`)}
        </StatusBadge>
      </ItemHeadline>
      <Facts row={row} />
      {row.state !== 'done' && (
        <Progress
          value={row.nn === 0 ? 0 : (row.uploaded / row.nn) * 100}
          size="xs"
          color={row.problemKind ? 'amber' : 'signal'}
          aria-label={t('row.uploaded', { uploaded: row.uploaded, count: row.nn })}
        />
      )}
      {row.problemKind && (
        <RecordingProblem message={codeText ? undefined : row.problem}>
          {t(`problem.${row.problemKind}`)}
          {codeText && <div>{t(`code.${codeText}`, { code: row.problemCode })}</div>}
          {row.retryAt !== '' && <div>{t('row.retryAt', { time: formatTimestamp(row.retryAt) })}</div>}
        </RecordingProblem>
      )}
      <Actions kind={kind} row={row} name={name} />
    </Item>
  );
}

function Facts({ row }: { row: CloudTask }) {
  const { t } = useTranslation('cloud-recording');
  const { task } = row;
  const { width = 0, height = 0 } = task ?? {};
  const facts: [string, string][] = [
    [t('row.begin'), formatTimestamp(row.begin)],
    [t('row.update'), formatTimestamp(row.update)],
    [t('row.duration'), formatSeconds(row.duration)],
    [t('row.size'), formatMegabytes(row.size)],
    [t('row.slices'), t('row.uploaded', { uploaded: row.uploaded, count: row.nn })],
  ];
  if (row.bucket) facts.push([t('row.bucket'), `${row.bucket} · ${row.region ?? ''}`]);
  if (row.file) facts.push([t('row.file'), row.file]);
  if (task) facts.push([t('row.mp4'), t('row.mp4Facts', { width, height, size: formatMegabytes(task.size) })]);
  else if (row.file && !row.problemKind) facts.push([t('row.mp4'), t('row.mp4Pending')]);
  return <FactList facts={facts} />;
}

function Actions({ kind, row, name }: { kind: CloudKind; row: CloudTask; name: string }) {
  const { t } = useTranslation('cloud-recording');
  const remove = useRemoveCloudTask(kind);
  const playlist = row.url || row.media || new URL(`${cloudLinkPrefixes[kind]}${row.uuid}.m3u8`, location.href).href;
  const player = `/tools/player.html?url=${encodeURIComponent(playlist)}`;
  const link = { component: 'a', target: '_blank', rel: 'noreferrer', size: 'xs', variant: 'default' } as const;
  return (
    <div className={classes.actions}>
      <Button
        {...link}
        href={player}
        aria-label={t('row.previewOf', { name })}
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
      >
        {t('row.preview')}
      </Button>
      {row.task && (
        <Button
          {...link}
          href={row.task.url}
          aria-label={t('row.mp4LinkOf', { name })}
          leftSection={<IconMovie size={14} aria-hidden />}
        >
          {t('row.mp4Link')}
        </Button>
      )}
      <CopyButton value={playlist} name={t('row.copy')} />
      {row.state !== 'recording' && (
        <ConfirmPopover
          dangerous
          text={t('row.removeText', { name })}
          onConfirm={() => remove.mutate({ uuid: row.uuid })}
        >
          <ActionIcon size="lg" aria-label={t('row.remove', { name })} loading={remove.isPending}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </ConfirmPopover>
      )}
    </div>
  );
}
