// Editor that cuts a clip from a live stream. The operator types the times of start and end, or moves handles over preview images.
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconScissors } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { formatBytes } from '../format-bytes.ts';
import { InlineFailure } from '../inline-failure.tsx';
import classes from './clip.module.css';
import { ClipMoment } from './clip-moment.tsx';
import { ClipPreview } from './clip-preview.tsx';
import { iso, type StreamName, useCreateClip, useRewindWindow, useStoryboard } from './clip-queries.ts';
import { ClipResult } from './clip-result.tsx';
import { ClipTimeline } from './clip-timeline.tsx';
import { imageAt, timeOfDay } from './clip-times.ts';
import type { Piece, Span } from './clip-view.ts';
import { useClipChoice } from './use-clip-choice.ts';

/** Delay from the last move of a handle to the request of the cut points, milliseconds. */
const settleMs = 250;

export default function ClipEditor({ app, stream }: StreamName) {
  const { data, error } = useRewindWindow({ app, stream }, undefined);
  if (data) return <Editor name={{ app, stream }} newest={data} />;
  return error ? <InlineFailure error={error} /> : <Skeleton height="24rem" radius="md" />;
}

type Window = NonNullable<ReturnType<typeof useRewindWindow>['data']>;

const spanOf = ({ since, until }: Window): Span => ({ sinceMs: Date.parse(since), untilMs: Date.parse(until) });
const momentsOf = (piece: Piece) => ({ from: iso(piece[0]), to: iso(piece[1]) });

function Editor({ name, newest }: { name: StreamName; newest: Window }) {
  const { t } = useTranslation('clips');
  const choice = useClipChoice(spanOf(newest));
  const { piece } = choice;
  const [settled] = useDebouncedValue(piece, settleMs);
  const window = useRewindWindow(name, settled).data ?? newest;
  const pictures = useStoryboard(newest.thumbnails, newest.watchQuery).data ?? [];
  const create = useCreateClip();
  const playlistOf = (wanted: Piece): string => {
    const { from, to } = momentsOf(wanted);
    return new URL(`${newest.playlist}?from=${from}&to=${to}`, location.href).href;
  };
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('hint')}
      </Text>
      <div className={classes.ends}>
        {(['from', 'to'] as const).map((end, index) => (
          <ClipMoment
            key={end}
            end={end}
            atMs={piece[index]!}
            window={spanOf(window)}
            picture={imageAt(pictures, piece[index]!)}
            onChange={(atMs) => choice.setEnd(end, atMs)}
          />
        ))}
      </div>
      <ClipTimeline choice={choice} window={spanOf(window)} pictures={pictures} />
      <CutText cut={window.cut} />
      <ClipPreview playlist={playlistOf(settled)} watchQuery={newest.watchQuery}>
        <Button
          leftSection={<IconScissors size={16} aria-hidden />}
          loading={create.isPending}
          onClick={() => create.mutate({ ...name, ...momentsOf(piece) })}
        >
          {t('make')}
        </Button>
      </ClipPreview>
      {create.data && <ClipResult key={create.data.uuid} clip={create.data} />}
      <CopyField label={t('link')} value={playlistOf(piece)} hint={t('linkHint')} />
    </Stack>
  );
}

interface CutTextProps {
  cut: { from: string; to: string; seconds: number; sizeBytes: number } | null;
}

function CutText({ cut }: CutTextProps) {
  const { t } = useTranslation('clips');
  const locale = useLocale();
  if (!cut) return <Text size="sm">{t('none')}</Text>;
  const [from, to] = [cut.from, cut.to].map((time) => timeOfDay(Date.parse(time), true));
  const size = formatBytes(cut.sizeBytes, locale);
  return <Text size="sm">{t('cut', { from, to, seconds: cut.seconds.toFixed(1), size })}</Text>;
}
