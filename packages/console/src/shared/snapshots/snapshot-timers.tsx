// Form for periodic snapshots of streams by pattern, and a list of streams with their newest snapshots.
import { ActionIcon, Button, Group, NumberInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { SnapshotTimer } from '@srs-stack/contract';
import {
  leastSnapshotSeconds,
  maxGlobLength,
  maxSnapshotSeconds,
  maxSnapshotTimers,
  maxTimedSnapshots,
} from '@srs-stack/contract/limits.ts';
import { IconDeviceFloppy, IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { Item, ItemHeadline, ItemList } from '../../ui/item-list.tsx';
import { monoInput } from '../../ui/mono-input.ts';
import { showToast } from '../../ui/toast.ts';
import { formatBytes } from '../format-bytes.ts';
import { formatTimestamp } from '../format-time.ts';
import { InlineFailure } from '../inline-failure.tsx';
import { SnapshotModal } from './snapshot-button.tsx';
import { type StreamName, useSaveTimers, useSnapshotTimers } from './snapshot-queries.ts';
import classes from './snapshots.module.css';

const maxShown = 50;

export function SnapshotTimers() {
  const { t } = useTranslation('snapshots');
  const found = useSnapshotTimers();
  if (found.isError && !found.data) return <InlineFailure error={found.error} />;
  if (!found.data) return <Skeleton height="9rem" radius="md" />;
  const { timers, streams } = found.data;
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {t('text')}
      </Text>
      <TimersForm key={JSON.stringify(timers)} timers={timers} />
      {streams.length > 0 && <Streams streams={streams.slice(0, maxShown)} />}
    </Stack>
  );
}

/** A row of the form, with numbers as typed. */
type Row = { id: number; glob: string; seconds: number | string; keep: number | string };

function TimersForm({ timers }: { timers: readonly SnapshotTimer[] }) {
  const { t } = useTranslation('snapshots');
  const save = useSaveTimers();
  const [rows, setRows] = useState<Row[]>(() => timers.map((timer, id) => ({ id, ...timer })));
  const [isRefused, setRefused] = useState(false);
  const change = (id: number, some: Partial<Row>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...some } : row)));
  const add = () => {
    const id = Math.max(0, ...rows.map((row) => row.id + 1));
    setRows([...rows, { id, glob: '', seconds: 60, keep: 100 }]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isRight = rows.every((row) => isRightGlob(row) && isRightTime(row) && isRightKeep(row));
    setRefused(!isRight);
    if (!isRight) return;
    const wanted = rows.map(({ glob, seconds, keep }) => ({ glob, seconds: Number(seconds), keep: Number(keep) }));
    save.mutate({ timers: wanted }, { onSuccess: () => void showToast({ message: t('saved') }) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {rows.map((row) => (
          <TimerRow
            key={row.id}
            row={row}
            isRefused={isRefused}
            onChange={(some) => change(row.id, some)}
            onRemove={() => setRows(rows.filter(({ id }) => id !== row.id))}
          />
        ))}
        <Group>
          <Button
            variant="default"
            disabled={rows.length >= maxSnapshotTimers}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
          >
            {t('add')}
          </Button>
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          >
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const isRightGlob = ({ glob }: Row) => glob.trim().startsWith('/');
const isRightTime = ({ seconds }: Row) => isWhole(seconds, leastSnapshotSeconds, maxSnapshotSeconds);
const isRightKeep = ({ keep }: Row) => isWhole(keep, 1, maxTimedSnapshots);

function isWhole(typed: number | string, least: number, most: number): boolean {
  const number = Number(typed);
  return Number.isInteger(number) && number >= least && number <= most;
}

interface TimerRowProps {
  row: Row;
  isRefused: boolean;
  onChange: (some: Partial<Row>) => void;
  onRemove: () => void;
}

function TimerRow({ row, isRefused, onChange, onRemove }: TimerRowProps) {
  const { t } = useTranslation('snapshots');
  const times = { min: leastSnapshotSeconds, max: maxSnapshotSeconds };
  return (
    <div className={classes.timer}>
      <TextInput
        label={t('glob')}
        placeholder="/live/camera-*"
        value={row.glob}
        maxLength={maxGlobLength}
        styles={monoInput}
        spellCheck={false}
        error={isRefused && !isRightGlob(row) && t('globInvalid')}
        onChange={(event) => onChange({ glob: event.currentTarget.value })}
      />
      <NumberInput
        label={t('seconds')}
        value={row.seconds}
        clampBehavior="none"
        error={isRefused && !isRightTime(row) && t('numberInvalid', times)}
        onChange={(seconds) => onChange({ seconds })}
      />
      <NumberInput
        label={t('keep')}
        value={row.keep}
        clampBehavior="none"
        error={isRefused && !isRightKeep(row) && t('numberInvalid', { min: 1, max: maxTimedSnapshots })}
        onChange={(keep) => onChange({ keep })}
      />
      <ActionIcon size="lg" aria-label={t('removeTimer', { name: row.glob })} onClick={onRemove}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}

type Counted = StreamName & { count: number; size: number; latest: string };

function Streams({ streams }: { streams: readonly Counted[] }) {
  const { t } = useTranslation('snapshots');
  const locale = useLocale();
  const [opened, setOpened] = useState<StreamName>();
  return (
    <>
      <ItemList label={t('streams')}>
        {streams.map(({ app, stream, count, size, latest }) => (
          <Item key={`${app}/${stream}`} state="idle">
            <ItemHeadline name={`${app}/${stream}`}>
              <Button size="xs" variant="default" onClick={() => setOpened({ app, stream })}>
                {t('show')}
              </Button>
            </ItemHeadline>
            <Text size="sm" c="dimmed">
              {t('counted', { count, size: formatBytes(size, locale), time: formatTimestamp(latest) })}
            </Text>
          </Item>
        ))}
      </ItemList>
      {opened && <SnapshotModal {...opened} isOpen onClose={() => setOpened(undefined)} />}
    </>
  );
}
