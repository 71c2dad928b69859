// The upgrade state of the server, and the actions of the operator. The last known state stays visible while the server restarts.
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../../../api/api-query.ts';
import { useReportError } from '../../../../shared/errors/error-report.tsx';

export type Upgrade = ResponseOf<typeof calls.queryUpgrade>;
export type Release = NonNullable<NonNullable<Upgrade['found']>['stable']>;

/** Poll interval during an update check or an upgrade, milliseconds. */
const busyPollMs = 1_500;

export function useUpgrade() {
  return useQuery({
    ...apiQuery(calls.queryUpgrade, {}),
    refetchInterval: ({ state: { data } }) => {
      const isBusy = !data || isRunning(data) || data.isLooking || data.installation === null;
      return isBusy ? busyPollMs : pollIntervalMs;
    },
  });
}

export function isRunning({ progress }: Upgrade): boolean {
  return progress?.state === 'running';
}

export function useUpgradeActions() {
  const client = useQueryClient();
  const settled = {
    onError: useReportError(),
    onSettled: () => client.invalidateQueries({ queryKey: apiKey(calls.queryUpgrade) }),
  };
  return {
    look: useMutation({ ...apiMutation(calls.lookForReleases), ...settled }),
    start: useMutation({ ...apiMutation(calls.startUpgrade), ...settled }),
    change: useMutation({ ...apiMutation(calls.updateUpgradeSettings), ...settled }),
  };
}
