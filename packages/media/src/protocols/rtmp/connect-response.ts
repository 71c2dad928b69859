// Parses a server's response to connect: acceptance or rejection, redirect address, and supported codecs.
import { isAmfObject } from './amf-value.ts';
import type { AmfObject, AmfValue } from './amf0.ts';
import { type RtmpCommand, textOf } from './command-message.ts';

/** Codecs in Enhanced RTMP form that this client can send. */
export const sentFourCcs = ['avc1', 'hvc1', 'av01', 'vp09', 'mp4a', 'Opus'];

/** Information object of `_result`, `_error` or `onStatus`: the first argument with a code, else the command object. */
export function informationOf({ args, object }: RtmpCommand): AmfObject {
  return [...args, object].filter(isAmfObject).find(({ code }) => typeof code === 'string') ?? {};
}

/** Redirect address in a rejection with code 302; undefined without a redirect. */
export function redirectOf({ ex }: AmfObject): string | undefined {
  if (!isAmfObject(ex) || ex.code !== 302) return undefined;
  return textOf(ex.redirect);
}

/**
 * FourCCs of the codecs that the server announces (Enhanced RTMP v2, "Enhancing NetConnection connect Command"). Undefined for older
 * servers, which announce none.
 */
export function announcedFourCcs({ args, object }: RtmpCommand): ReadonlySet<string> | undefined {
  const announced = new Set<string>();
  for (const part of [object, ...args].filter(isAmfObject)) {
    for (const name of [
      ...textsOf(part.fourCcList),
      ...keysOf(part.videoFourCcInfoMap),
      ...keysOf(part.audioFourCcInfoMap),
    ])
      announced.add(name);
  }
  return announced.size === 0 ? undefined : announced;
}

function textsOf(value: AmfValue): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function keysOf(value: AmfValue): string[] {
  return isAmfObject(value) ? Object.keys(value) : [];
}
