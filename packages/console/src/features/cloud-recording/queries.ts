// Queries and changes of account, rules and tasks of DVR and VoD.
import type { Call, CloudRow, DvrRow, VodRow } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';

export type CloudKind = 'dvr' | 'vod';
/** A row of DVR or VoD. */
export type CloudTask = CloudRow & Partial<DvrRow> & Partial<VodRow>;

export const useDvr = () => useQuery(apiQuery(calls.queryDvr, {}));
export const useVod = () => useQuery(apiQuery(calls.queryVod, {}));
export const useCloudAccount = () => useQuery(apiQuery(calls.queryCloudAccount, {}));

/** Tasks, polled every ten seconds. */
export function useCloudTasks(kind: CloudKind) {
  const files: Call<object, CloudTask[]> = kind === 'dvr' ? calls.queryDvrFiles : calls.queryVodFiles;
  return useQuery({ ...apiQuery(files, {}), refetchInterval: pollIntervalMs });
}

type Outcome = 'dvrSaved' | 'vodSaved' | 'secretSaved' | 'removed';

/** Saves a change, refetches everything that shows the value, and reports success in a toast. */
function useChange<C extends Call>(endpoint: C, outcome: Outcome) {
  const { t } = useTranslation('cloud-recording');
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(endpoint),
    onSettled: async () => {
      const { queryDvr, queryVod, queryDvrFiles, queryVodFiles, queryCloudAccount } = calls;
      const shown = [queryDvr, queryVod, queryDvrFiles, queryVodFiles, queryCloudAccount];
      await Promise.all(shown.map((each) => client.invalidateQueries({ queryKey: apiKey(each) })));
    },
    onSuccess: () => showToast({ message: t(`success.${outcome}`) }),
    onError: useReportError(),
  });
}

export function useApplyCloud(kind: CloudKind) {
  const dvr = useChange(calls.applyDvr, 'dvrSaved');
  const vod = useChange(calls.applyVod, 'vodSaved');
  return kind === 'dvr' ? dvr : vod;
}
export function useRemoveCloudTask(kind: CloudKind) {
  const dvr = useChange(calls.removeDvr, 'removed');
  const vod = useChange(calls.removeVod, 'removed');
  return kind === 'dvr' ? dvr : vod;
}
export const useSaveSecret = () => useChange(calls.updateCloudSecret, 'secretSaved');
