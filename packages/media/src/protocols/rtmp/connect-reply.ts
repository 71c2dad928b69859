// The server properties in the response to connect (RTMP 1.0 §7.2.1.1, Enhanced RTMP v2 "Enhancing NetConnection
// connect Command").

import { isAmfObject } from './amf-value.ts';
import type { AmfObject, AmfValue } from './amf0.ts';

const videoFourCcs = ['avc1', 'hvc1', 'av01', 'vp09', 'vp08'];
const audioFourCcs = ['mp4a', 'Opus', '.mp3', 'ac-3', 'ec-3', 'fLaC'];
/** FourCcInfoMask: the server forwards media without decoding or encoding. */
const canForward = 4;
/** CapsExMask of supported features: multitrack, ModEx, nanosecond offsets (parsed and dropped). */
const understoodCaps = 2 | 4 | 8;
/** Means "every codec" in lists and maps. */
const anyCodec = '*';

/** The two objects of the `_result`: server properties and connection information. */
export function connectReply(connect: AmfObject): { properties: AmfObject; information: AmfObject } {
  const enhanced = negotiateEnhanced(connect);
  return {
    properties: { fmsVer: 'FMS/3,5,3,888', capabilities: 127, mode: 1, ...enhanced },
    information: {
      level: 'status',
      code: 'NetConnection.Connect.Success',
      description: 'Connection succeeded',
      objectEncoding: connect.objectEncoding === 3 ? 3 : 0,
      ...enhanced,
    },
  };
}

/** The Enhanced RTMP members that both client and server support; empty for an older client. */
function negotiateEnhanced(connect: AmfObject): AmfObject {
  const reply: AmfObject = {};
  if (Array.isArray(connect.fourCcList)) reply.fourCcList = commonFourCcs(connect.fourCcList);
  if (isAmfObject(connect.videoFourCcInfoMap)) {
    reply.videoFourCcInfoMap = commonInfoMap(connect.videoFourCcInfoMap, videoFourCcs);
  }
  if (isAmfObject(connect.audioFourCcInfoMap)) {
    reply.audioFourCcInfoMap = commonInfoMap(connect.audioFourCcInfoMap, audioFourCcs);
  }
  if (typeof connect.capsEx === 'number') reply.capsEx = connect.capsEx & understoodCaps;
  return reply;
}

function commonFourCcs(wanted: AmfValue[]): AmfValue[] {
  const known = [...videoFourCcs, ...audioFourCcs];
  return wanted.includes(anyCodec) ? known : known.filter((fourCc) => wanted.includes(fourCc));
}

function commonInfoMap(wanted: AmfObject, known: string[]): AmfObject {
  const common = anyCodec in wanted ? known : known.filter((fourCc) => Object.hasOwn(wanted, fourCc));
  return Object.fromEntries(common.map((fourCc) => [fourCc, canForward]));
}
