// Settings of the ladder, running ladders, and the cost of renditions. The cost is polled while the server measures.
import type { LadderConfig } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';

/** Poll interval while the server measures, milliseconds. */
const measuringMs = 1_500;

export function useLadderConfig() {
  return useQuery(apiQuery(calls.queryLadder, {}));
}

export function useLadderTasks() {
  return useQuery({ ...apiQuery(calls.queryLadderTasks, {}), refetchInterval: pollIntervalMs / 2 });
}

/** Costs of the renditions in the form. The server caches measured costs. */
export function useLadderCosts({ encoder, speed, steps }: Pick<LadderConfig, 'encoder' | 'speed' | 'steps'>) {
  return useQuery({
    ...apiQuery(calls.measureLadder, { encoder, speed, steps }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.isMeasuring ? measuringMs : false),
  });
}

export function useApplyLadder() {
  const { t } = useTranslation('ladder');
  const client = useQueryClient();
  const apply = useMutation({
    ...apiMutation(calls.applyLadder),
    onSuccess: async () => {
      await Promise.all(
        [calls.queryLadder, calls.queryLadderTasks].map((endpoint) =>
          client.invalidateQueries({ queryKey: apiKey(endpoint) }),
        ),
      );
      await showToast({ message: t('saved') });
    },
    onError: useReportError(),
  });
  return { save: (config: LadderConfig) => apply.mutateAsync(config), isSaving: apply.isPending };
}
