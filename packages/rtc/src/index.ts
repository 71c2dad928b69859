// The door of the package: a UDP port for WebRTC sessions, where this machine can have one.
export { addonProblem } from './native-addon.ts';
export { RtcGuest, type RtcHost } from './rtc-guest.ts';
export {
  type RtcEndpoint,
  RtcPort,
  type RtcSession,
  type RtcSessionEvents,
  type RtcSessionOptions,
} from './rtc-port.ts';
