// Parses responses of cameras. Numbers and texts have limits, because cameras are untrusted. Pure.
import { maxLabelLength, type OnvifProfile } from '@srs-stack/contract';
import { childAt, childrenNamed, textAt, type XmlElement } from './soap-xml.ts';

/** Maximum number of stream profiles. Cameras have two to eight. */
const maxProfiles = 16;
/** Maximum number of preset positions. */
const maxPresets = 64;
/** Maximum width, height and frame rate. */
const maxFigure = 65_535;
/** Maximum length of a displayed text, characters. */
const maxShownLength = 100;
/** Latest time that cameras can represent, milliseconds since 1970. */
const endOfTimeMs = Date.UTC(9_999, 0);

export interface Preset {
  readonly token: string;
  readonly name: string;
}

type ProfileFacts = Omit<OnvifProfile, 'address'>;

/** Clock of the camera minus local clock, milliseconds; 0 if the camera hides its clock. */
export function clockAheadOf(body: XmlElement | undefined, nowMs: number): number {
  const utc = childAt(body, 'GetSystemDateAndTimeResponse', 'SystemDateAndTime', 'UTCDateTime');
  const number = (...path: string[]) => Number(textAt(utc, ...path) || Number.NaN);
  const [year, month, day] = [number('Date', 'Year'), number('Date', 'Month'), number('Date', 'Day')];
  const ms = Date.UTC(year, month - 1, day, number('Time', 'Hour'), number('Time', 'Minute'), number('Time', 'Second'));
  return ms >= 0 && ms < endOfTimeMs ? ms - nowMs : 0;
}

export function modelOf(body: XmlElement): string {
  const response = childAt(body, 'GetDeviceInformationResponse');
  return shown(`${textAt(response, 'Manufacturer')} ${textAt(response, 'Model')}`.trim());
}

export function profilesOf(body: XmlElement): ProfileFacts[] {
  const found = childrenNamed(childAt(body, 'GetProfilesResponse'), 'Profiles').slice(0, maxProfiles);
  return found.flatMap((element) => {
    const token = tokenOf(element);
    return token === '' ? [] : [toProfile(element, token)];
  });
}

export function presetsOf(body: XmlElement): Preset[] {
  const presets = childrenNamed(childAt(body, 'GetPresetsResponse'), 'Preset').slice(0, maxPresets);
  return presets.flatMap((each) => {
    const token = tokenOf(each);
    return token === '' ? [] : [{ token, name: shown(textAt(each, 'Name')) || token }];
  });
}

function tokenOf({ attributes }: XmlElement): string {
  const token = attributes.get('token') ?? '';
  return token.length > maxLabelLength ? '' : token;
}

function toProfile(element: XmlElement, token: string): ProfileFacts {
  const encoder = childAt(element, 'VideoEncoderConfiguration');
  const number = (...path: string[]) =>
    Math.min(maxFigure, Math.max(0, Math.round(Number(textAt(encoder, ...path)) || 0)));
  return {
    ...{ token, name: shown(textAt(element, 'Name')) || token, codec: shown(textAt(encoder, 'Encoding')) },
    ...{ width: number('Resolution', 'Width'), height: number('Resolution', 'Height') },
    fps: number('RateControl', 'FrameRateLimit'),
    hasPtz: childAt(element, 'PTZConfiguration') !== undefined,
  };
}

function shown(text: string): string {
  return text.slice(0, maxShownLength);
}
