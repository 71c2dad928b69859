// Requests the preview of a slate from the server, once typing pauses. A slate that is only an image needs no preview.
import { useDebouncedValue } from '@mantine/hooks';
import type { RequestOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/api-query.ts';
import type { SlateDraft } from './slate-draft.ts';

/** Pause in typing before the request, milliseconds. */
const typingMs = 400;

export interface SlatePreview {
  /** `data:` address; undefined if the slate is only an image. */
  readonly picture: string | undefined;
  readonly error: Error | null;
  readonly isDrawing: boolean;
}

export function useSlatePreview({ image, content, clip, title, text }: SlateDraft): SlatePreview {
  const showsClip = content === 'clip' && clip !== '';
  const isNeeded = title.trim() !== '' || text.trim() !== '' || showsClip;
  const wanted: RequestOf<typeof calls.previewSlate> = {
    ...{ content, clip, title: title.trim(), text: text.trim() },
    ...(image !== null && { image }),
  };
  const [settled] = useDebouncedValue(JSON.stringify(wanted), typingMs);
  const preview = useQuery({
    ...apiQuery(calls.previewSlate, JSON.parse(settled) as typeof wanted),
    enabled: isNeeded,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!isNeeded) return { picture: undefined, error: null, isDrawing: false };
  return { picture: preview.data?.picture, error: preview.error, isDrawing: preview.isFetching };
}
