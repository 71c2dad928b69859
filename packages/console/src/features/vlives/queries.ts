// Targets of virtual live, their state every ten seconds, sources, the file library, and what changes them.
import { endpoints, type MediaSourceItem, pollIntervalMs, type VliveTarget } from '@srs-stack/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { useReportFailure } from '../../shared/errors/use-report-failure.ts';
import { showToast } from '../../ui/toast.ts';

export type VliveTargets = Readonly<Record<string, VliveTarget>>;

const targetsQuery = apiQuery(endpoints.vliveSecret, {});

/** Targets by platform; only those that were ever saved. */
export function useVliveTargets() {
  return useQuery({ ...targetsQuery, select: (targets): VliveTargets => targets ?? {} });
}

export function useVliveRows() {
  const rows = useQuery({ ...apiQuery(endpoints.vliveStreams, {}), refetchInterval: pollIntervalMs });
  useReportFailure(rows);
  return rows;
}

export function useLibrary() {
  return useQuery({ ...apiQuery(endpoints.queryLibrary, {}), staleTime: 0 });
}

export function useSaveVlive() {
  const { t } = useTranslation('vlives');
  const refresh = useRefresh();
  const save = useMutation({
    ...apiMutation(endpoints.vliveSecret),
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
    ...apiMutation(endpoints.removeVlive),
    onSuccess: async () => {
      await refresh();
      await showToast({ message: t('removed') });
    },
    onError: useReportError(),
  });
}

/** Has the server check sources and make them the playlist of a platform. Errors are the caller's to show. */
export function useSetSource(platform: string) {
  const refresh = useRefresh();
  const set = useMutation({ ...apiMutation(endpoints.vliveSource), onSettled: refresh });
  return {
    error: set.error,
    isPending: set.isPending,
    reset: set.reset,
    set: async (items: readonly MediaSourceItem[]) =>
      (await set.mutateAsync({ platform, files: items.map(itemOnly) })).files,
  };
}

export function useAcquireStream() {
  return useMutation(apiMutation(endpoints.vliveStreamUrl));
}

export function useAcquireServerFile() {
  return useMutation(apiMutation(endpoints.vliveServerFile));
}

export function useRemoveLibraryFile() {
  const { t } = useTranslation('vlives');
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(endpoints.removeLibraryFile),
    onSuccess: () => showToast({ message: t('library.removed') }),
    onSettled: () => client.invalidateQueries({ queryKey: apiKey(endpoints.queryLibrary) }),
    onError: useReportError(),
  });
}

/** Details of a probe are the server's business and are made anew. */
function itemOnly({ name, path, size, uuid, target, type }: MediaSourceItem): MediaSourceItem {
  return { name, path, size, uuid, target, type };
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(
      [endpoints.vliveSecret, endpoints.vliveStreams, endpoints.queryLibrary].map((endpoint) =>
        client.invalidateQueries({ queryKey: apiKey(endpoint) }),
      ),
    );
  };
}
