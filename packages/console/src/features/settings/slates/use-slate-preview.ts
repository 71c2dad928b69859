// Requests a preview from the server after a pause in typing. A slate without text and clip needs no preview.
import { useDebouncedValue } from '@mantine/hooks';
import type { RequestOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/api-query.ts';
import type { SlateDraft } from './slate-draft.ts';

/** Pause in typing before a request, milliseconds. */
const typingMs = 400;

export interface SlatePreview {
  /** `data:` URL; undefined while loading, and for slates without text and clip. */
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
