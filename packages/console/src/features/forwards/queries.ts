// Forward targets, their state (polled every ten seconds), and changes.
import type { ForwardTarget } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { useReportFailure } from '../../shared/errors/use-report-failure.ts';
import { showToast } from '../../ui/toast.ts';

export type ForwardTargets = Readonly<Record<string, ForwardTarget>>;

const targetsQuery = apiQuery(calls.forwardSecret, {});

/** The saved targets by platform. */
export function useForwardTargets() {
  return useQuery({ ...targetsQuery, select: (targets): ForwardTargets => targets ?? {} });
}

export function useForwardRows() {
  const rows = useQuery({ ...apiQuery(calls.forwardStreams, {}), refetchInterval: pollIntervalMs });
  useReportFailure(rows);
  return rows;
}

export function useSaveForward() {
  const { t } = useTranslation('forwards');
  const client = useQueryClient();
  const save = useMutation({
    ...apiMutation(calls.forwardSecret),
    onSuccess: async (_answer, target) => {
      await refresh(client);
      await showToast({ message: t(target.enabled ? 'saved.started' : 'saved.stopped') });
    },
    onError: useReportError(),
  });
  return (target: ForwardTarget) => save.mutateAsync({ ...target, action: 'update' });
}

/** Starts or stops all targets, or the targets of a group. */
export function useSwitchForwards() {
  const { t } = useTranslation('forwards');
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.switchForwards),
    onSuccess: async ({ changed }, { enabled }) => {
      await refresh(client);
      await showToast({ message: t(enabled ? 'switches.started' : 'switches.stopped', { count: changed }) });
    },
    onError: useReportError(),
  });
}

/** Validates a list. The caller shows the result. */
export function useCheckList() {
  return useMutation({ ...apiMutation(calls.importForwards), onError: useReportError() });
}

/** Adds the targets of a list. If the server refuses any target, it adds none and responds with the errors. */
export function useAddList() {
  const { t } = useTranslation('forwards');
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.importForwards),
    onSuccess: async ({ added }) => {
      if (added === 0) return;
      await refresh(client);
      await showToast({ message: t('list.added', { count: added }) });
    },
    onError: useReportError(),
  });
}

/** Polling interval of a running test, milliseconds. */
const testPollMs = 400;

/** Starts tests of a target. `test` is the newest test. */
export function useForwardTest() {
  const start = useMutation({ ...apiMutation(calls.startForwardTest), onError: useReportError() });
  const id = start.data?.id ?? '';
  const test = useQuery({
    ...apiQuery(calls.queryForwardTest, { id }),
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data?.isDone || state.status === 'error' ? false : testPollMs),
  });
  useReportFailure(test);
  return { start, test: id === '' ? undefined : test.data, isFailed: test.isError };
}

export function useRemoveForward() {
  const { t } = useTranslation('forwards');
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.removeForward),
    onSuccess: async () => {
      await refresh(client);
      await showToast({ message: t('removed') });
    },
    onError: useReportError(),
  });
}

async function refresh(client: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: targetsQuery.queryKey }),
    client.invalidateQueries({ queryKey: apiKey(calls.forwardStreams) }),
  ]);
}
