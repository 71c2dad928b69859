// Rules, recordings, totals and the bin, and what changes them.
import { type Endpoint, endpoints, pollIntervalMs, type RequestOf } from '@srs-stack/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';

/** Rows on one page: fast to draw on a phone, and a poll of it is small. */
export const rowsPerPage = 25;

const rulesQuery = apiQuery(endpoints.queryRecord, {});

export const useRecordRules = () => useQuery(rulesQuery);

/** One page of the recordings, asked for every ten seconds; the page before stays while the next one is fetched. */
export function useRecordings(search: string, page: number) {
  const request = { search, offset: page * rowsPerPage, limit: rowsPerPage };
  return useQuery({
    ...apiQuery(endpoints.queryRecordFiles, request),
    refetchInterval: pollIntervalMs,
    placeholderData: keepPreviousData,
  });
}

export function useRecordStatus(search: string) {
  return useQuery({
    ...apiQuery(endpoints.queryRecordStatus, { search }),
    refetchInterval: pollIntervalMs,
    placeholderData: keepPreviousData,
  });
}

export const useRecordBin = () =>
  useQuery({ ...apiQuery(endpoints.queryRecordBin, {}), refetchInterval: pollIntervalMs });

export const useRecordRetention = () => useQuery(apiQuery(endpoints.queryRecordRetention, {}));

/** What a change is told as when it is done. */
type Told =
  | 'started'
  | 'stopped'
  | 'filtersSaved'
  | 'copySaved'
  | 'ended'
  | 'removed'
  | 'restored'
  | 'emptied'
  | 'retentionSaved';

/** A change: saved, everything that shows it asked for again, and told. */
function useChange<E extends Endpoint>(endpoint: E, told: (request: RequestOf<E>) => Told) {
  const { t } = useTranslation('records');
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(endpoint),
    onSuccess: async (_answer, request) => {
      const shown = [endpoints.queryRecord, endpoints.queryRecordFiles, endpoints.queryRecordStatus];
      const keys = [...shown, endpoints.queryRecordBin, endpoints.queryRecordRetention].map((each) => apiKey(each));
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
      await showToast({ message: t(`told.${told(request)}`) });
    },
    onError: useReportError(),
  });
}

export const useApplyRecord = () => useChange(endpoints.applyRecord, ({ all }) => (all ? 'started' : 'stopped'));
export const useSaveGlobs = () => useChange(endpoints.updateRecordGlobs, () => 'filtersSaved');
export const useSaveCopyFolder = () => useChange(endpoints.updateRecordPostProcessing, () => 'copySaved');
export const useEndRecord = () => useChange(endpoints.endRecord, () => 'ended');
export const useRemoveRecord = () => useChange(endpoints.removeRecord, () => 'removed');
export const useRestoreRecord = () => useChange(endpoints.restoreRecord, () => 'restored');
export const useEmptyBin = () => useChange(endpoints.emptyRecordBin, () => 'emptied');
export const useSaveRetention = () => useChange(endpoints.updateRecordRetention, () => 'retentionSaved');
