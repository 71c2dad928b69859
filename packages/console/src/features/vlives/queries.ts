import type { MediaSourceItem, VliveTarget } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { useReportFailure } from '../../shared/errors/use-report-failure.ts';
import { showToast } from '../../ui/toast.ts';

export type VliveTargets = Readonly<Record<string, VliveTarget>>;

const targetsQuery = apiQuery(calls.vliveSecret, {});

/** Saved targets by platform. */
export function useVliveTargets() {
  return useQuery({ ...targetsQuery, select: (targets): VliveTargets => targets ?? {} });
}

export function useVliveRows() {
  const rows = useQuery({ ...apiQuery(calls.vliveStreams, {}), refetchInterval: pollIntervalMs });
  useReportFailure(rows);
  return rows;
}

export function useLibrary() {
  return useQuery({ ...apiQuery(calls.queryLibrary, {}), staleTime: 0 });
}

export function useSaveVlive() {
  const { t } = useTranslation('vlives');
  const refresh = useRefresh();
  const save = useMutation({
    ...apiMutation(calls.vliveSecret),
    onSuccess: async () => {
      await refresh();
      await showToast({ message: t('saved') });
    },
    onError: useReportError(),
  });
  return (target: VliveTarget) => save.mutateAsync({ ...target, action: 'update' });
}

export function useRemoveVlive() {
  const { t } = useTranslation('vlives');
  const refresh = useRefresh();
  return useMutation({
    ...apiMutation(calls.removeVlive),
    onSuccess: async () => {
      await refresh();
      await showToast({ message: t('removed') });
    },
    onError: useReportError(),
  });
}

/** Stores sources, which the server checks first, as the playlist of a platform. The caller shows errors. */
export function useSetSource(platform: string) {
  const refresh = useRefresh();
  const set = useMutation({ ...apiMutation(calls.vliveSource), onSettled: refresh });
  return {
    error: set.error,
    isPending: set.isPending,
    reset: set.reset,
    set: async (items: readonly MediaSourceItem[]) =>
      (await set.mutateAsync({ platform, files: items.map(itemOnly) })).files,
  };
}

export function useAcquireStream() {
  return useMutation(apiMutation(calls.vliveStreamUrl));
}

export function useAcquireServerFile() {
  return useMutation(apiMutation(calls.vliveServerFile));
}

export function useRemoveLibraryFile() {
  const { t } = useTranslation('vlives');
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.removeLibraryFile),
    onSuccess: () => showToast({ message: t('library.removed') }),
    onSettled: () => client.invalidateQueries({ queryKey: apiKey(calls.queryLibrary) }),
    onError: useReportError(),
  });
}

/** Omits the probed fields, which the server determines. */
function itemOnly({ name, path, size, uuid, target, type }: MediaSourceItem): MediaSourceItem {
  return { name, path, size, uuid, target, type };
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(
      [calls.vliveSecret, calls.vliveStreams, calls.queryLibrary].map((endpoint) =>
        client.invalidateQueries({ queryKey: apiKey(endpoint) }),
      ),
    );
  };
}
