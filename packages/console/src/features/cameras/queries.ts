// The calls of the page: cameras, their state, their images, and changes.
import type { Camera, ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';

export type CameraRow = ResponseOf<typeof calls.cameraStreams>[number];
export type Cameras = Readonly<Record<string, Camera>>;

export function useCameras() {
  return useQuery({ ...apiQuery(calls.cameraSecret, {}), select: (cameras): Cameras => cameras ?? {} });
}

export function useCameraRows() {
  return useQuery({ ...apiQuery(calls.cameraStreams, {}), refetchInterval: pollIntervalMs });
}

/** A still image of the camera's stream, renewed while it is live; undefined if there is none. */
export function useCameraPicture(stream: string, isLive: boolean): string | undefined {
  const live = useQuery({ ...apiQuery(calls.queryLive, {}), enabled: isLive, refetchInterval: pollIntervalMs });
  const id = live.data?.streams.find((each) => `${each.app}/${each.stream}` === stream)?.id;
  const picture = useQuery({
    ...apiQuery(calls.queryStreamPicture, { streamId: id ?? '' }),
    enabled: isLive && id !== undefined,
    refetchInterval: pollIntervalMs,
    retry: false,
  });
  return (isLive && picture.data?.picture) || undefined;
}

function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: apiKey(calls.cameraSecret) }),
      client.invalidateQueries({ queryKey: apiKey(calls.cameraStreams) }),
    ]);
}

export function useSaveCamera() {
  return useMutation({ ...apiMutation(calls.cameraSecret), onSuccess: useRefresh() });
}

export function useSwitchCamera() {
  return useMutation({ ...apiMutation(calls.cameraSecret), onSuccess: useRefresh(), onError: useReportError() });
}

export function useRemoveCamera() {
  return useMutation({ ...apiMutation(calls.removeCamera), onSuccess: useRefresh(), onError: useReportError() });
}

export function useTestCamera() {
  return useMutation(apiMutation(calls.testCamera));
}

export function useCheckAddress() {
  return useMutation(apiMutation(calls.cameraStreamUrl));
}
