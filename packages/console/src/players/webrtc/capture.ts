export type PictureSource = 'camera' | 'screen' | 'none';

export interface CaptureChoice {
  picture: PictureSource;
  /** Camera id; '' lets the browser choose. */
  cameraId: string;
  /** Microphone id; '' lets the browser choose, undefined captures no microphone. */
  microphoneId: string | undefined;
  /** Stereo audio without noise suppression and similar processing, for music. */
  naturalSound: boolean;
  size: PictureSize;
}

export interface PictureSize {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Bitrate for H.264 at 30 frames per second. */
  readonly kbps: number;
}

export const pictureSizes: readonly PictureSize[] = [
  { id: '360p', width: 640, height: 360, kbps: 800 },
  { id: '480p', width: 854, height: 480, kbps: 1_200 },
  { id: '720p', width: 1280, height: 720, kbps: 2_500 },
  { id: '1080p', width: 1920, height: 1080, kbps: 4_500 },
];
export const defaultSize = '720p';
/** Bitrates that the operator can select, in addition to the bitrate of the video size, kbit/s. */
export const bitratesKbps = [500, 1_000, 1_500, 2_500, 4_000, 6_000, 8_000] as const;
const frameRate = 30;

/**
 * `insecure`: the page is not encrypted. `denied`: the user or the system denied access. `no-device`: no suitable device is connected.
 * `in-use`: another program uses the device. `cancelled`: the user cancelled the screen selection. `unsupported`: the browser cannot
 * capture the screen or mix audio.
 */
export type CaptureProblemKind = 'insecure' | 'denied' | 'no-device' | 'in-use' | 'cancelled' | 'unsupported' | 'other';

export class CaptureFailed extends Error {
  readonly kind: CaptureProblemKind;
  constructor(kind: CaptureProblemKind, detail = '') {
    super(detail);
    this.kind = kind;
  }
}

export interface Capture {
  readonly stream: MediaStream;
  /** Releases the devices. Idempotent. */
  stop(): void;
}

/**
 * Captures the selected devices. A missing camera or microphone is omitted if the other device exists.
 * @param onEnded called when a device is unplugged or screen sharing ends.
 * @throws CaptureFailed
 */
export async function capture(choice: CaptureChoice, onEnded: () => void): Promise<Capture> {
  if (!window.isSecureContext || !navigator.mediaDevices) throw new CaptureFailed('insecure');
  try {
    const parts = choice.picture === 'screen' ? await captureScreen(choice) : await captureDevices(choice);
    return toCapture(parts, onEnded);
  } catch (error) {
    throw error instanceof CaptureFailed ? error : new CaptureFailed(kindOfError(error, choice), String(error));
  }
}

/** Lists cameras and microphones. Without permission, the list has no names and at most one device of each kind. */
export async function listDevices(): Promise<{ cameras: MediaDeviceInfo[]; microphones: MediaDeviceInfo[] }> {
  const devices = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
  return {
    cameras: devices.filter(({ kind }) => kind === 'videoinput'),
    microphones: devices.filter(({ kind }) => kind === 'audioinput'),
  };
}

async function captureDevices(choice: CaptureChoice): Promise<MediaStream[]> {
  const { cameras, microphones } = await listDevices();
  const wantsVideo = choice.picture === 'camera' && cameras.length > 0;
  const wantsAudio = choice.microphoneId !== undefined && microphones.length > 0;
  if (!wantsVideo && !wantsAudio) throw new CaptureFailed('no-device');
  const video = wantsVideo && { ...sizeConstraints(choice.size), ...deviceConstraint(choice.cameraId) };
  return [await navigator.mediaDevices.getUserMedia({ video, audio: wantsAudio && audioConstraints(choice) })];
}

async function captureScreen(choice: CaptureChoice): Promise<MediaStream[]> {
  if (!navigator.mediaDevices.getDisplayMedia) throw new CaptureFailed('unsupported');
  const screen = await navigator.mediaDevices.getDisplayMedia({ video: sizeConstraints(choice.size), audio: true });
  const { microphones } = await listDevices();
  if (choice.microphoneId === undefined || microphones.length === 0) return [screen];
  try {
    return [screen, await navigator.mediaDevices.getUserMedia({ audio: audioConstraints(choice) })];
  } catch (error) {
    for (const track of screen.getTracks()) track.stop();
    throw error;
  }
}

function sizeConstraints({ width, height }: PictureSize): MediaTrackConstraints {
  return { width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: frameRate, max: frameRate } };
}

function audioConstraints({ microphoneId = '', naturalSound }: CaptureChoice): MediaTrackConstraints {
  const corrected = !naturalSound;
  return {
    ...deviceConstraint(microphoneId),
    channelCount: { ideal: 2 },
    echoCancellation: corrected,
    noiseSuppression: corrected,
    autoGainControl: corrected,
  };
}

function deviceConstraint(deviceId: string): MediaTrackConstraints {
  return deviceId === '' ? {} : { deviceId: { exact: deviceId } };
}

function toCapture(parts: readonly MediaStream[], onEnded: () => void): Capture {
  const captured = parts.flatMap((part) => part.getTracks());
  const sounds = captured.filter(({ kind }) => kind === 'audio');
  const mixed = sounds.length > 1 ? mixSounds(sounds) : undefined;
  const pictures = captured.filter(({ kind }) => kind === 'video');
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    for (const track of captured) track.stop();
    mixed?.close();
  };
  for (const track of captured) {
    track.addEventListener('ended', () => {
      if (!stopped) onEnded();
    });
  }
  return { stream: new MediaStream([...pictures, ...(mixed ? [mixed.track] : sounds)]), stop };
}

/** Mixes audio tracks into one, because a session has one audio track. */
function mixSounds(tracks: readonly MediaStreamTrack[]): { track: MediaStreamTrack; close(): void } {
  const context = new AudioContext();
  const output = context.createMediaStreamDestination();
  for (const track of tracks) context.createMediaStreamSource(new MediaStream([track])).connect(output);
  const [track] = output.stream.getAudioTracks();
  if (!track) throw new CaptureFailed('unsupported');
  return { track, close: () => void context.close() };
}

/** Maps the error names of browsers (Media Capture and Streams §10, Screen Capture §5). */
function kindOfError(error: unknown, choice: CaptureChoice): CaptureProblemKind {
  const name = error instanceof DOMException || error instanceof Error ? error.name : '';
  switch (name) {
    case 'NotAllowedError':
      return choice.picture === 'screen' ? 'cancelled' : 'denied';
    case 'SecurityError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'no-device';
    case 'NotReadableError':
    case 'AbortError':
      return 'in-use';
    default:
      return 'other';
  }
}
