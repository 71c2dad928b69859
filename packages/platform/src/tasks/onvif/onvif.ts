// Discovers, queries and moves cameras over ONVIF. Sends requests only when the operator asks.
import { AppError, because, type Camera, type DiscoveredCamera, type OnvifDevice } from '@srs-stack/contract';
import { checkAddress } from '../../network/address-rule.ts';
import { withEncodedUserInfo } from '../../workers/ffmpeg-args/address.ts';
import { CameraTurns } from './camera-turns.ts';
import { OnvifCamera, type OnvifCameraOptions, type Velocity } from './onvif-camera.ts';
import { type DiscoveryOptions, discoverCameras } from './onvif-discovery.ts';
import type { Preset } from './onvif-responses.ts';

/**
 * Time limits for reading a camera and for a command, milliseconds. Each may take several requests, and a camera may respond slowly to all
 * of them.
 */
const limits = { readWithinMs: 20_000, orderWithinMs: 10_000 } as const;

export interface OnvifRequest {
  readonly address: string;
  readonly user: string;
  readonly password: string;
  readonly acceptsAnyCertificate: boolean;
}

export interface Onvif {
  discover(): Promise<DiscoveredCamera[]>;
  read(request: OnvifRequest): Promise<OnvifDevice>;
  move(camera: Camera, velocity: Velocity): Promise<void>;
  presets(camera: Camera): Promise<Preset[]>;
  goToPreset(camera: Camera, preset: string): Promise<void>;
}

/** @param times overrides the limits in tests. */
export function createOnvif(
  discovery: DiscoveryOptions = {},
  times: Record<keyof typeof limits, number> = limits,
): Onvif {
  const turns = new CameraTurns();
  let search: Promise<DiscoveredCamera[]> | undefined;
  const control = async <T>(
    { ptz, acceptsAnyCertificate }: Camera,
    work: (device: OnvifCamera, profile: string) => Promise<T>,
  ): Promise<T> => {
    if (!ptz) throw new AppError('notFound', because('onvif.no-ptz'));
    const { credentials, url } = parseDevice(ptz.address);
    return turns.run(url, async () => {
      const limit = startLimit(times.orderWithinMs);
      return work(await OnvifCamera.connect({ url, credentials, acceptsAnyCertificate, ...limit }), ptz.profile);
    });
  };
  return {
    // Operators who search simultaneously share one probe.
    discover() {
      search ??= discoverCameras(discovery).finally(() => {
        search = undefined;
      });
      return search;
    },
    read: async (request) => {
      const { url } = parseDevice(request.address);
      return turns.run(url, () => readDevice(url, request, startLimit(times.readWithinMs)));
    },
    move: (camera, velocity) => control(camera, (device, profile) => device.move(profile, velocity)),
    presets: (camera) => control(camera, (device, profile) => device.presets(profile)),
    goToPreset: (camera, preset) => control(camera, (device, profile) => device.goToPreset(profile, preset)),
  };
}

function startLimit(withinMs: number): Pick<OnvifCameraOptions, 'signal' | 'startedAtMs'> {
  return { signal: AbortSignal.timeout(withinMs), startedAtMs: performance.now() };
}

async function readDevice(
  url: URL,
  { user, password, acceptsAnyCertificate }: OnvifRequest,
  limit: Pick<OnvifCameraOptions, 'signal' | 'startedAtMs'>,
): Promise<OnvifDevice> {
  const credentials = user === '' ? undefined : { user, password };
  const device = await OnvifCamera.connect({ url, credentials, acceptsAnyCertificate, ...limit });
  const profiles = await device.profiles();
  const [first] = profiles;
  // Model and image are only displayed. A camera also works without them.
  const model = await device.model().catch(() => '');
  const image = first && (await device.snapshot(first.token).catch(() => undefined));
  const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return {
    ...{ model, profiles, snapshot: image ? image.toString('base64') : '' },
    address: `${url.protocol}//${login}${url.host}${url.pathname}${url.search}`,
  };
}

/** Throws `addressRefused`. */
export function checkDeviceAddress(address: string): void {
  parseDevice(address);
}

function parseDevice(address: string): Pick<OnvifCameraOptions, 'url' | 'credentials'> {
  const encoded = withEncodedUserInfo(address);
  checkAddress(encoded, ['http', 'https']);
  if (!URL.canParse(encoded))
    throw new AppError('addressRefused', because('address.scheme', { schemes: 'http://, https://' }));
  const url = new URL(encoded);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const credentials =
    username === '' ? undefined : { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { url, credentials };
}
