// The calls of the page: cameras, their state, their images, and changes.
import type { Camera, LiveStream, ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';

export type CameraRow = ResponseOf<typeof calls.cameraStreams>[number];
export type Cameras = Readonly<Record<string, Camera>>;

/** Refresh interval of a visible image, milliseconds. The server creates an image at most every 10 s. */
const renewMs = 10_000;

export function useCameras() {
  return useQuery({ ...apiQuery(calls.cameraSecret, {}), select: (cameras): Cameras => cameras ?? {} });
}

export function useCameraRows() {
  return useQuery({ ...apiQuery(calls.cameraStreams, {}), refetchInterval: pollIntervalMs });
}

/** The live stream (`app/stream`) of a camera; undefined while the stream is not on the air. */
export function useCameraStream(stream: string, isLive: boolean): LiveStream | undefined {
  const live = useQuery({ ...apiQuery(calls.queryLive, {}), enabled: isLive, refetchInterval: pollIntervalMs });
  return isLive ? live.data?.streams.find((each) => `${each.app}/${each.stream}` === stream) : undefined;
}

/** An image of a live stream, renewed while it is visible; undefined without an image. */
export function useCameraImage(streamId: string | undefined, isVisible: boolean): string | undefined {
  const image = useQuery({
    ...apiQuery(calls.queryStreamPicture, { streamId: streamId ?? '' }),
    enabled: streamId !== undefined && isVisible,
    refetchInterval: renewMs,
    retry: false,
  });
  return (streamId !== undefined && image.data?.picture) || undefined;
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

export function useDiscoverCameras() {
  return useMutation(apiMutation(calls.discoverCameras));
}

export function useReadOnvifCamera() {
  return useMutation(apiMutation(calls.readOnvifCamera));
}

export function useMoveCamera() {
  return useMutation({ ...apiMutation(calls.moveCamera), onError: useReportError(), scope: { id: 'move-camera' } });
}

export function useCameraPresets() {
  return useMutation({ ...apiMutation(calls.cameraPresets), onError: useReportError() });
}

export function useTestCamera() {
  return useMutation(apiMutation(calls.testCamera));
}

export function useCheckAddress() {
  return useMutation(apiMutation(calls.cameraStreamUrl));
}
