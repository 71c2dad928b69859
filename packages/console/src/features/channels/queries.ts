// Calls of the channels page: channels with their state, played items, playable items, and changes.
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import type {
  Channel,
  ChannelDraft,
  ChannelItem,
  ChannelState,
  WeeklyEntry,
} from '@srs-stack/contract/models/channel.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';

export type { Channel, ChannelDraft, ChannelItem, ChannelState, WeeklyEntry };
export type AsRunRow = ResponseOf<typeof calls.queryAsRun>['entries'][number];

/** Polling interval for the progress of preparation and the current item, milliseconds. */
const renewMs = 3_000;
/** Maximum number of recordings in the selection: the newest ones. */
const recordingChoices = 100;

export function useChannels() {
  return useQuery({ ...apiQuery(calls.listChannels, {}), refetchInterval: renewMs });
}

export function useAsRun(id: string, isOpen: boolean) {
  return useQuery({ ...apiQuery(calls.queryAsRun, { id }), enabled: isOpen, refetchInterval: renewMs });
}

export function useProgramme(id: string, isOpen: boolean) {
  return useQuery({
    ...apiQuery(calls.queryProgramme, { id, hours: 24 }),
    enabled: isOpen,
    refetchInterval: 10 * renewMs,
  });
}

export function useLibraryFiles() {
  return useQuery({ ...apiQuery(calls.queryLibrary, {}), staleTime: 0 });
}

export function useRecordings() {
  return useQuery(apiQuery(calls.queryRecordFiles, { limit: recordingChoices }));
}

/** Adds a file of the server to the library. The caller shows errors. */
export function useServerFile() {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.vliveServerFile),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKey(calls.queryLibrary) }),
  });
}

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: apiKey(calls.listChannels) });
}

/** Creates a channel. The form shows errors. */
export function useCreateChannel() {
  return useMutation({ ...apiMutation(calls.createChannel), onSuccess: useRefresh() });
}

export function useUpdateChannel() {
  return useMutation({ ...apiMutation(calls.updateChannel), onSuccess: useRefresh() });
}

export function useSwitchChannel() {
  return useMutation({ ...apiMutation(calls.switchChannel), onSuccess: useRefresh(), onError: useReportError() });
}

export function useTakeOver() {
  return useMutation({ ...apiMutation(calls.takeOverChannel), onSuccess: useRefresh(), onError: useReportError() });
}

export function useGiveBack() {
  return useMutation({ ...apiMutation(calls.giveBackChannel), onSuccess: useRefresh(), onError: useReportError() });
}

export function useRemoveChannel() {
  return useMutation({ ...apiMutation(calls.removeChannel), onSuccess: useRefresh(), onError: useReportError() });
}
