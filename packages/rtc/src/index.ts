// Entry point of the package: a UDP port for WebRTC sessions, and UDP sockets that send in batches. If `addonProblem` returns a reason,
// this machine cannot use them.
export { DatagramSocket, type SendDatagrams } from './datagram-socket.ts';
export { addonProblem } from './native-addon.ts';
export { RtcGuest, type RtcHost } from './rtc-guest.ts';
export {
  type RtcEndpoint,
  RtcPort,
  type RtcSession,
  type RtcSessionEvents,
  type RtcSessionOptions,
} from './rtc-port.ts';
