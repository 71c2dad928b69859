// Finding, reading and moving cameras over ONVIF. Nothing is searched or contacted unless the operator asks for it.
import { AppError, because, type Camera, type DiscoveredCamera, type OnvifDevice } from '@srs-stack/contract';
import { createPlaces } from '../../concurrency/places.ts';
import { checkAddress } from '../../network/address-rule.ts';
import { withEncodedUserInfo } from '../../workers/ffmpeg-args/address.ts';
import { OnvifCamera, type OnvifCameraOptions, type Preset, type Velocity } from './onvif-camera.ts';
import { type DiscoveryOptions, discoverCameras } from './onvif-discovery.ts';

/** Cameras that are contacted at the same time. */
const maxAtOnce = 8;

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

export function createOnvif(discovery: DiscoveryOptions = {}): Onvif {
  const places = createPlaces(maxAtOnce);
  let search: Promise<DiscoveredCamera[]> | undefined;
  const controlled = async (camera: Camera) => {
    if (!camera.ptz) throw new AppError('notFound', because('onvif.no-ptz'));
    const { credentials, url } = parseDevice(camera.ptz.address);
    const { acceptsAnyCertificate } = camera;
    return {
      profile: camera.ptz.profile,
      device: await OnvifCamera.connect({ url, credentials, acceptsAnyCertificate }),
    };
  };
  return {
    // Operators who search at the same time share the probe.
    discover() {
      search ??= discoverCameras(discovery).finally(() => {
        search = undefined;
      });
      return search;
    },
    read: (request) => places(() => readDevice(request)),
    move: (camera, velocity) =>
      places(async () => {
        const { device, profile } = await controlled(camera);
        await device.move(profile, velocity);
      }),
    presets: (camera) =>
      places(async () => {
        const { device, profile } = await controlled(camera);
        return device.presets(profile);
      }),
    goToPreset: (camera, preset) =>
      places(async () => {
        const { device, profile } = await controlled(camera);
        await device.goToPreset(profile, preset);
      }),
  };
}

async function readDevice({ address, user, password, acceptsAnyCertificate }: OnvifRequest): Promise<OnvifDevice> {
  const { url } = parseDevice(address);
  const credentials = user === '' ? undefined : { user, password };
  const device = await OnvifCamera.connect({ url, credentials, acceptsAnyCertificate });
  const profiles = await device.profiles();
  const [first] = profiles;
  // Both are only shown: a camera without them works.
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
