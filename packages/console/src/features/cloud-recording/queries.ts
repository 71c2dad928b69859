// Account, rules and tasks of DVR and VoD, and what changes them.
import { type CloudRow, type DvrRow, type Endpoint, endpoints, pollIntervalMs, type VodRow } from '@srs-stack/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';

export type CloudKind = 'dvr' | 'vod';
/** A row of either kind. */
export type CloudTask = CloudRow & Partial<DvrRow> & Partial<VodRow>;

export const useDvr = () => useQuery(apiQuery(endpoints.queryDvr, {}));
export const useVod = () => useQuery(apiQuery(endpoints.queryVod, {}));
export const useCloudAccount = () => useQuery(apiQuery(endpoints.queryCloudAccount, {}));

/** Asked for every ten seconds. */
export function useCloudTasks(kind: CloudKind) {
  const endpoint = kind === 'dvr' ? endpoints.queryDvrFiles : endpoints.queryVodFiles;
  return useQuery({ ...apiQuery(endpoint as Endpoint<typeof endpoint.request>, {}), refetchInterval: pollIntervalMs });
}

type Told = 'dvrSaved' | 'vodSaved' | 'secretSaved' | 'removed';

/** A change: saved, everything that shows it asked for again, and told. */
function useChange<E extends Endpoint>(endpoint: E, told: Told) {
  const { t } = useTranslation('cloud-recording');
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(endpoint),
    onSettled: async () => {
      const { queryDvr, queryVod, queryDvrFiles, queryVodFiles, queryCloudAccount } = endpoints;
      const shown = [queryDvr, queryVod, queryDvrFiles, queryVodFiles, queryCloudAccount];
      await Promise.all(shown.map((each) => client.invalidateQueries({ queryKey: apiKey(each) })));
    },
    onSuccess: () => showToast({ message: t(`told.${told}`) }),
    onError: useReportError(),
  });
}

export function useApplyCloud(kind: CloudKind) {
  const dvr = useChange(endpoints.applyDvr, 'dvrSaved');
  const vod = useChange(endpoints.applyVod, 'vodSaved');
  return kind === 'dvr' ? dvr : vod;
}
export function useRemoveCloudTask(kind: CloudKind) {
  const dvr = useChange(endpoints.removeDvr, 'removed');
  const vod = useChange(endpoints.removeVod, 'removed');
  return kind === 'dvr' ? dvr : vod;
}
export const useSaveSecret = () => useChange(endpoints.updateCloudSecret, 'secretSaved');
