// Rules, plan, recordings, totals, transfers and the bin, and the calls that change them.
import type { Call, RequestOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';

/** Rows per page. A phone renders and polls this number quickly. */
export const rowsPerPage = 25;

/** Polling interval of transfer progress, milliseconds: short enough for a progress bar. */
const transferIntervalMs = 3_000;

const rulesQuery = apiQuery(calls.queryRecord, {});

export const useRecordRules = () => useQuery(rulesQuery);

/** Filters of the list of recordings. */
export type RecordFilter = Pick<RequestOf<typeof calls.queryRecordStatus>, 'search' | 'from' | 'to' | 'kept'>;

/** One page of the recordings, polled every ten seconds. The previous page stays visible while the next page loads. */
export function useRecordings(filter: RecordFilter, page: number) {
  const request = { ...filter, offset: page * rowsPerPage, limit: rowsPerPage };
  return useQuery({
    ...apiQuery(calls.queryRecordFiles, request),
    refetchInterval: pollIntervalMs,
    placeholderData: keepPreviousData,
  });
}

export function useRecordStatus(filter: RecordFilter) {
  return useQuery({
    ...apiQuery(calls.queryRecordStatus, filter),
    refetchInterval: pollIntervalMs,
    placeholderData: keepPreviousData,
  });
}

/** Transfers of recordings to the bucket, by uuid. Polled more often while there are transfers. */
export function useObjectTransfers(isEnabled: boolean) {
  return useQuery({
    ...apiQuery(calls.queryObjectTransfers, {}),
    refetchInterval: ({ state }) => (state.data?.length ? transferIntervalMs : pollIntervalMs),
    enabled: isEnabled,
    select: (transfers) => new Map(transfers.map((transfer) => [transfer.uuid, transfer])),
  });
}

export const useRecordBin = () => useQuery({ ...apiQuery(calls.queryRecordBin, {}), refetchInterval: pollIntervalMs });

export const useRecordRetention = () => useQuery(apiQuery(calls.queryRecordRetention, {}));

export const useRecordSplit = () => useQuery(apiQuery(calls.queryRecordSplit, {}));

export const useRecordPlan = () =>
  useQuery({ ...apiQuery(calls.queryRecordPlan, {}), refetchInterval: pollIntervalMs });

type Outcome =
  | 'started'
  | 'stopped'
  | 'filtersSaved'
  | 'copySaved'
  | 'ended'
  | 'removed'
  | 'restored'
  | 'emptied'
  | 'retentionSaved'
  | 'kept'
  | 'notKept'
  | 'labelled'
  | 'splitSaved'
  | 'planSaved'
  | 'planRemoved';

/** Saves a change, refetches everything that shows the value, and reports success in a toast. */
function useChange<C extends Call>(endpoint: C, outcome: (request: RequestOf<C>) => Outcome) {
  const { t } = useTranslation('records');
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(endpoint),
    onSuccess: async (_answer, request) => {
      const shown = [calls.queryRecord, calls.queryRecordFiles, calls.queryRecordStatus];
      const rules = [calls.queryRecordRetention, calls.queryRecordSplit, calls.queryRecordPlan];
      const keys = [...shown, calls.queryRecordBin, ...rules].map((each) => apiKey(each));
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
      await showToast({ message: t(`success.${outcome(request)}`) });
    },
    onError: useReportError(),
  });
}

export const useApplyRecord = () => useChange(calls.applyRecord, ({ all }) => (all ? 'started' : 'stopped'));
export const useSaveGlobs = () => useChange(calls.updateRecordGlobs, () => 'filtersSaved');
export const useSaveCopyFolder = () => useChange(calls.updateRecordPostProcessing, () => 'copySaved');
export const useEndRecord = () => useChange(calls.endRecord, () => 'ended');
export const useRemoveRecord = () => useChange(calls.removeRecord, () => 'removed');
export const useRestoreRecord = () => useChange(calls.restoreRecord, () => 'restored');
export const useEmptyBin = () => useChange(calls.emptyRecordBin, () => 'emptied');
export const useSaveRetention = () => useChange(calls.updateRecordRetention, () => 'retentionSaved');
export const useSaveSplit = () => useChange(calls.updateRecordSplit, () => 'splitSaved');
export const useSavePlanEntry = () => useChange(calls.saveRecordPlanEntry, () => 'planSaved');
export const useRemovePlanEntry = () => useChange(calls.removeRecordPlanEntry, () => 'planRemoved');
export const useLabelRecord = () =>
  useChange(calls.updateRecord, ({ keep }) => (keep === undefined ? 'labelled' : keep ? 'kept' : 'notKept'));
