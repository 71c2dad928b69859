// Calls of the live rooms page. Every change refetches the list of rooms.
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';

export type RoomRow = ResponseOf<typeof calls.queryRoomStates>['rooms'][number];
export type InvitationRow = RoomRow['invitations'][number];

export function useRooms() {
  return useQuery({ ...apiQuery(calls.queryRoomStates, {}), refetchInterval: pollIntervalMs });
}

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: apiKey(calls.queryRoomStates) });
}

export function useCreateRoom() {
  return useMutation({ ...apiMutation(calls.createRoom), onSuccess: useRefresh() });
}

export function useUpdateRoom() {
  return useMutation({ ...apiMutation(calls.updateRoom), onSuccess: useRefresh(), onError: useReportError() });
}

export function useRemoveRoom() {
  return useMutation({ ...apiMutation(calls.removeRoom), onSuccess: useRefresh(), onError: useReportError() });
}

export function useInvite() {
  return useMutation({ ...apiMutation(calls.createRoomInvitation), onSuccess: useRefresh() });
}

export function useRevoke() {
  return useMutation({
    ...apiMutation(calls.revokeRoomInvitation),
    onSuccess: useRefresh(),
    onError: useReportError(),
  });
}
