import { element } from '../player-stage.ts';
import { bitratesKbps, type CaptureChoice, defaultSize, type PictureSource, pictureSizes } from './capture.ts';
import type { WhipTexts } from './whip-texts.ts';

export interface WhipControls {
  readonly root: HTMLElement;
  choice(): CaptureChoice;
  /** Maximum video bitrate, kbit/s. */
  kbps(): number;
  showDevices(cameras: readonly MediaDeviceInfo[], microphones: readonly MediaDeviceInfo[]): void;
}

export interface WhipControlEvents {
  /** Called when the operator selects a device or capture option. */
  onChoice(): void;
  onBitrate(): void;
}

const pictureSources: readonly PictureSource[] = ['camera', 'screen', 'none'];
/** Value of "no microphone", which no device id equals. */
const noMicrophone = 'none';

export function createWhipControls(t: WhipTexts, { onChoice, onBitrate }: WhipControlEvents): WhipControls {
  const sources = createSources(t, () => {
    showPictureFields();
    onChoice();
  });
  const camera = createSelect(t.camera, [['', t.defaultDevice]], onChoice);
  const microphone = createSelect(
    t.microphone,
    [
      ['', t.defaultDevice],
      [noMicrophone, t.noMicrophone],
    ],
    onChoice,
  );
  const size = createSelect(
    t.size,
    pictureSizes.map(({ id, width, height }) => [id, `${width}×${height}`]),
    () => {
      showRecommended();
      onChoice();
      onBitrate();
    },
  );
  size.select.value = defaultSize;
  const bitrate = createSelect(t.bitrate, bitrateOptions(t, ''), onBitrate);
  const natural = createCheckbox(t.naturalSound, t.naturalSoundHint, onChoice);
  const chosenSize = () => pictureSizes.find(({ id }) => id === size.select.value) ?? pictureSizes[0]!;
  const showRecommended = () => setOptions(bitrate.select, bitrateOptions(t, String(chosenSize().kbps)));
  const showPictureFields = () => {
    camera.root.hidden = sources.value() !== 'camera';
    for (const { root } of [size, bitrate]) root.hidden = sources.value() === 'none';
  };
  showRecommended();
  showPictureFields();
  const root = element('div', 'choices');
  const quality = element('div', 'pair');
  quality.append(size.root, bitrate.root);
  root.append(sources.root, camera.root, microphone.root, quality, natural.root);
  return {
    root,
    choice: () => ({
      picture: sources.value(),
      cameraId: camera.select.value,
      microphoneId: microphone.select.value === noMicrophone ? undefined : microphone.select.value,
      naturalSound: natural.input.checked,
      size: chosenSize(),
    }),
    kbps: () => Number(bitrate.select.value) || chosenSize().kbps,
    showDevices: (cameras, microphones) => {
      setOptions(camera.select, [['', t.defaultDevice], ...deviceOptions(cameras, t.namelessCamera)]);
      setOptions(microphone.select, [
        ['', t.defaultDevice],
        ...deviceOptions(microphones, t.namelessMicrophone),
        [noMicrophone, t.noMicrophone],
      ]);
    },
  };
}

type Options = readonly (readonly [value: string, label: string])[];

function bitrateOptions(t: WhipTexts, recommendedKbps: string): Options {
  return [
    ['', t.recommended(Number(recommendedKbps))],
    ...bitratesKbps.map((kbps) => [String(kbps), `${kbps} kbps`] as const),
  ];
}

/** Omits the browser's default device, because the page adds its own default entry. */
function deviceOptions(devices: readonly MediaDeviceInfo[], nameless: (n: number) => string): Options {
  return devices
    .filter(({ deviceId }) => deviceId !== '' && deviceId !== 'default' && deviceId !== 'communications')
    .map(({ deviceId, label }, index) => [deviceId, label || nameless(index + 1)]);
}

function createSources(t: WhipTexts, onChange: () => void) {
  const root = element('fieldset', 'segments');
  root.append(element('legend', '', t.source));
  const row = root.appendChild(element('div', 'row'));
  const inputs = pictureSources.map((source, index) => {
    const label = element('label');
    const input = element('input');
    Object.assign(input, { type: 'radio', name: 'picture', value: source, checked: index === 0 });
    input.addEventListener('change', onChange);
    label.append(input, element('span', '', t.picture[source]));
    row.append(label);
    return input;
  });
  return {
    root,
    value: () => pictureSources[inputs.findIndex(({ checked }) => checked)] ?? 'camera',
  };
}

/** Number of created fields, which makes element ids unique. */
let fieldCount = 0;

function createSelect(name: string, options: Options, onChange: () => void) {
  const root = element('div', 'field');
  const label = element('label', '', name);
  const select = element('select');
  select.id = `choice-${++fieldCount}`;
  label.htmlFor = select.id;
  setOptions(select, options);
  select.addEventListener('change', onChange);
  root.append(label, select);
  return { root, select };
}

function setOptions(select: HTMLSelectElement, options: Options): void {
  const chosen = select.value;
  select.replaceChildren(
    ...options.map(([value, label]) => {
      const option = element('option', '', label);
      option.value = value;
      return option;
    }),
  );
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

function createCheckbox(name: string, hint: string, onChange: () => void) {
  const root = element('label', 'check');
  const input = element('input');
  input.type = 'checkbox';
  input.addEventListener('change', onChange);
  const label = element('span');
  label.append(name, element('small', '', hint));
  root.append(input, label);
  return { root, input };
}
