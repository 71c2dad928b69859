// A WHEP viewer that parses every packet: sequence gaps, frames by number, latency of whole frames, time to first frame.
import {
  createOffer,
  datachannel,
  deleteSession,
  mediaDescriptions,
  type PeerConnection,
  postOffer,
} from './datachannel.ts';
import { mayHoldSei, parseRtp, type RtpPacket, startsKeyframe } from './h264-rtp.ts';
import { nowUs, readStamp, type Stamp } from './stamp.ts';
import type { FirstError } from './tool-output.ts';

/** A viewer without video requests a keyframe after `firstPliMs`, then every `pliEveryMs`, as browsers do; milliseconds. */
const firstPliMs = 250;
const pliEveryMs = 1_000;

class SequenceCheck {
  packets = 0;
  lost = 0;
  late = 0;
  #last = -1;

  count(sequence: number, isCounted: boolean): void {
    const step = (sequence - this.#last) & 0xffff;
    const isLate = this.#last >= 0 && step >= 0x8000;
    if (isCounted) {
      this.packets += 1;
      if (isLate) this.late += 1;
      if (isLate && this.lost > 0) this.lost -= 1;
      if (!isLate && this.#last >= 0) this.lost += Math.max(0, step - 1);
    }
    if (!isLate) this.#last = sequence;
  }
}

export interface ViewerOptions {
  readonly url: string;
  readonly timeoutMs: number;
  /** Fixed UDP port; by default any free port. */
  readonly port: number | undefined;
  readonly firstError: FirstError;
  isMeasuring(): boolean;
}

export class WhepViewer {
  failure = '';
  hasDropped = false;
  /** Milliseconds from the POST to each event; 0 before the event. */
  readonly after = { answer: 0, connected: 0, firstPacket: 0, firstKeyframe: 0, firstLive: 0 };
  readonly latencyMs: number[] = [];
  readonly video = new SequenceCheck();
  readonly audio = new SequenceCheck();
  bytes = 0;
  frames = 0;
  missingFrames = 0;
  plis = 0;

  #postedAt = 0;
  #postedAtUs = 0;
  #hasLeft = false;
  #session: string | undefined;
  #lastFrame = -1;
  #frame: { timestamp: number; stamp: Stamp } | undefined;
  readonly #connection: PeerConnection;
  readonly #requestKeyframe: () => void;
  /** Handlers and descriptions. The library keeps no references, so this list prevents their garbage collection. */
  readonly #kept: unknown[] = [];
  readonly #options: ViewerOptions;

  constructor(index: number, options: ViewerOptions) {
    this.#options = options;
    const { port } = options;
    this.#connection = new datachannel.PeerConnection(`viewer-${index}`, {
      iceServers: [],
      bindAddress: '127.0.0.1',
      ...(port && { portRangeBegin: port, portRangeEnd: port }),
    });
    this.#connection.onStateChange((state) => this.#onState(state));
    const { video, audio } = mediaDescriptions('RecvOnly');
    const track = this.#receive(video, (bytes) => this.#onVideo(bytes));
    this.#receive(audio, (bytes) => this.#onAudio(bytes));
    this.#requestKeyframe = () => track.requestKeyframe();
  }

  /** Whether the viewer waits for its first keyframe without an error. */
  get isStuck(): boolean {
    return !this.failure && !this.after.firstKeyframe;
  }

  async open(): Promise<void> {
    try {
      const offer = await createOffer(this.#connection);
      this.#postedAt = performance.now();
      this.#postedAtUs = nowUs();
      const answer = await postOffer(this.#options.url, offer, this.#options.timeoutMs);
      this.after.answer = performance.now() - this.#postedAt;
      this.#session = answer.location;
      if (!this.#hasLeft) this.#connection.setRemoteDescription(answer.sdp, 'answer');
    } catch (error) {
      this.#fail((error as Error).message);
    }
  }

  async leave(how: 'delete' | 'close' = 'delete'): Promise<void> {
    this.#hasLeft = true;
    if (how === 'delete') await deleteSession(this.#session);
    try {
      this.#connection.close();
    } catch {
      // The library has already closed the connection.
    }
  }

  #receive(description: ReturnType<typeof mediaDescriptions>['video' | 'audio'], onBytes: (bytes: Buffer) => void) {
    const track = this.#connection.addTrack(description as Parameters<PeerConnection['addTrack']>[0]);
    const reports = new datachannel.RtcpReceivingSession();
    track.setMediaHandler(reports);
    track.onMessage(onBytes);
    track.onClosed(() => track.close()); // releases the handlers of the track
    this.#kept.push(track, reports, description);
    return track;
  }

  #fail(reason: string): void {
    this.failure ||= reason;
    this.#options.firstError.note(reason);
  }

  #onState(state: string): void {
    if (state === 'connected') this.after.connected ||= this.#elapsed();
    if (!/failed|closed|disconnected/.test(state) || this.#hasLeft || this.failure) return;
    this.hasDropped = true;
    this.#fail(`connection ${state}`);
  }

  #elapsed(): number {
    return performance.now() - this.#postedAt;
  }

  #onAudio(bytes: Buffer): void {
    const packet = parseRtp(bytes);
    if (packet) this.#count(this.audio, packet, bytes.length);
  }

  #onVideo(bytes: Buffer): void {
    const packet = parseRtp(bytes);
    if (!packet) return;
    this.#count(this.video, packet, bytes.length);
    this.after.firstPacket ||= this.#elapsed();
    if (packet.payload.length === 0) return;
    if (!this.after.firstKeyframe) this.#lookForKeyframe(packet.payload);
    if (mayHoldSei(packet.payload)) this.#lookForStamp(packet);
    if (packet.isLast && this.#frame?.timestamp === packet.timestamp) this.#onFrame(this.#frame.stamp);
  }

  #count(track: SequenceCheck, packet: RtpPacket, bytes: number): void {
    const isMeasuring = this.#options.isMeasuring();
    track.count(packet.sequence, isMeasuring);
    if (isMeasuring) this.bytes += bytes;
  }

  #lookForKeyframe(payload: Buffer): void {
    if (startsKeyframe(payload)) this.after.firstKeyframe = this.#elapsed();
    else if (this.#elapsed() - this.after.firstPacket > firstPliMs + pliEveryMs * this.plis) {
      this.plis += 1;
      this.#requestKeyframe();
    }
  }

  #lookForStamp({ payload, timestamp }: RtpPacket): void {
    const stamp = readStamp(payload);
    if (!stamp) return;
    if (this.#options.isMeasuring() && this.#lastFrame >= 0)
      this.missingFrames += Math.max(0, stamp.number - this.#lastFrame - 1);
    this.#lastFrame = stamp.number;
    this.#frame = { timestamp, stamp };
  }

  /** Called with the last packet of a frame. Frames captured before the request come from a cache and have no latency. */
  #onFrame(stamp: Stamp): void {
    this.#frame = undefined;
    const isMeasuring = this.#options.isMeasuring();
    if (isMeasuring) this.frames += 1;
    if (stamp.atUs < this.#postedAtUs) return;
    this.after.firstLive ||= this.#elapsed();
    if (isMeasuring) this.latencyMs.push((nowUs() - stamp.atUs) / 1000);
  }
}
