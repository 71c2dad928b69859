import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EarlyWhep } from './early-whep.ts';
import type { RtcOffer } from './rtc-offer.ts';
import type { RtcProblem } from './rtc-problem.ts';
import { type RtcSession, startRtcSession } from './rtc-session.ts';

class FakePeer extends EventTarget {
  connectionState = 'new';
  iceGatheringState = 'complete';
  localDescription: { sdp: string } | null = null;
  remote = '';
  readonly transport = Object.assign(new EventTarget(), { state: 'new' });
  async createOffer() {
    return { sdp: 'offer' };
  }
  async setLocalDescription(description: { sdp: string }) {
    this.localDescription = description;
  }
  async setRemoteDescription({ sdp }: { sdp: string }) {
    this.remote = sdp;
  }
  getTransceivers() {
    return [{ receiver: { transport: this.transport } }];
  }
  addTransceiver(): void {}
  turn(state: string): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
  close(): void {
    this.connectionState = 'closed';
  }
}

class GatheringPeer extends FakePeer {
  override iceGatheringState = 'gathering';
}

const url = 'http://host:2022/rtc/v1/whip/?stream=a';
const resource = 'http://host:2022/rtc/v1/whip/?action=delete&session=s&token=t';
let calls: { url: string; method: string | undefined; keepalive: boolean | undefined }[];
let respond: () => Promise<Response>;
let problems: RtcProblem[];
let connected: number;
let session: RtcSession;
const peer = () => session.peer as unknown as FakePeer;
const deletes = () => calls.filter(({ method }) => method === 'DELETE');

function open(begun?: RtcOffer): void {
  session = startRtcSession({
    ...{ url, begun },
    prepare: () => {},
    adjustAnswer: (sdp) => `${sdp}!`,
    onConnected: () => connected++,
    onProblem: (problem) => problems.push(problem),
  });
}

const accepted = async () =>
  new Response('answer', { status: 201, headers: { Location: '/rtc/v1/whip/?action=delete&session=s&token=t' } });

let early: EarlyWhep;

beforeEach(() => {
  early = new EarlyWhep();
  vi.useFakeTimers();
  [calls, problems, connected] = [[], [], 0];
  respond = accepted;
  vi.stubGlobal('RTCPeerConnection', FakePeer);
  vi.stubGlobal('fetch', (target: string, { method, keepalive }: RequestInit) => {
    calls.push({ url: target, method, keepalive });
    return method === 'DELETE' ? Promise.resolve(new Response('')) : respond();
  });
});
afterEach(() => session?.close());

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('WHIP or WHEP session', () => {
  it('sends the offer, applies the SDP answer, connects once, and closes', async () => {
    open();
    await settle();
    expect(calls).toEqual([{ url, method: 'POST', keepalive: undefined }]);
    expect(peer().remote).toBe('answer!');
    peer().turn('connected');
    peer().turn('disconnected');
    peer().turn('connected');
    expect(connected).toBe(1);
    session.close();
    session.close();
    expect(deletes()).toEqual([{ url: resource, method: 'DELETE', keepalive: true }]);
    expect(problems).toEqual([]);
  });

  it('deletes a session whose SDP answer arrives after it was closed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    respond = () => promise.then(accepted);
    open();
    await settle();
    session.close();
    resolve();
    await settle();
    expect(deletes()).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('sends no request if it is closed before its offer', async () => {
    open();
    session.close();
    await settle();
    expect(calls).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('sends the offer with the first candidate, or without any after the time limit', async () => {
    vi.stubGlobal('RTCPeerConnection', GatheringPeer);
    open();
    await settle();
    expect(calls).toEqual([]);
    peer().dispatchEvent(Object.assign(new Event('icecandidate'), { candidate: {} }));
    await settle();
    expect(calls).toHaveLength(1);
    session.close();
    open();
    await vi.advanceTimersByTimeAsync(500);
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  it('starts early without waiting for a candidate', async () => {
    vi.stubGlobal('RTCPeerConnection', GatheringPeer);
    early.begin(url);
    await settle();
    expect(calls).toHaveLength(1);
    early.take('http://host:2022/');
  });

  it('takes over an early offer in any state', async () => {
    early.begin(url);
    await settle();
    expect(calls).toHaveLength(1);
    const begun = early.take(url)!;
    (begun.peer as unknown as FakePeer).turn('connected');
    open(begun);
    await settle();
    expect([session.peer, connected]).toEqual([begun.peer, 1]);
    expect(calls).toHaveLength(1);
    session.close();
    expect(deletes()).toHaveLength(1);
    expect(early.take(url)).toBeUndefined();
  });

  it('reports the refusal of an early offer to the session that takes it over', async () => {
    respond = async () => new Response('', { status: 403 });
    early.begin(url);
    await settle();
    open(early.take(url));
    await settle();
    expect(problems.map(({ kind }) => kind)).toEqual(['refused']);
  });

  it.each([
    ['another address is played', () => void early.take('http://host:2022/rtc/v1/whep/?stream=b')],
    ['no session takes it', () => vi.advanceTimersByTime(10_000)],
    ['the page is left', () => void window.dispatchEvent(new Event('pagehide'))],
  ])('an offer that was started ends when %s', async (_case, happen) => {
    early.begin(url);
    await settle();
    happen();
    await settle();
    expect(deletes()).toHaveLength(1);
    expect(early.take(url)).toBeUndefined();
  });

  it('starting early does nothing where WebRTC is switched off', () => {
    vi.stubGlobal('RTCPeerConnection', undefined);
    expect(() => early.begin(url)).not.toThrow();
    expect(early.take(url)).toBeUndefined();
  });

  it.each([
    [401, 'unauthorized'],
    [409, 'busy'],
    [406, 'codec'],
    [503, 'unavailable'],
  ])('ends with the reason of HTTP %i', async (status, kind) => {
    respond = async () => new Response('', { status });
    open();
    await settle();
    expect(problems).toEqual([{ kind, detail: `HTTP ${status}` }]);
    expect(deletes()).toEqual([]);
  });

  it('ends when the server does not respond', async () => {
    respond = () => Promise.reject(new TypeError('failed to fetch'));
    open();
    await settle();
    expect(problems).toEqual([{ kind: 'network', detail: 'failed to fetch' }]);
  });

  it('ends when no network path for the media is found, and deletes the session', async () => {
    open();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(problems.map(({ kind }) => kind)).toEqual(['media-path']);
    expect(deletes()).toHaveLength(1);
  });

  it('lets an interrupted connection recover before it ends', async () => {
    open();
    await settle();
    peer().turn('connected');
    peer().turn('disconnected');
    await vi.advanceTimersByTimeAsync(4_000);
    peer().turn('connected');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(problems).toEqual([]);
    peer().turn('disconnected');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(problems.map(({ kind }) => kind)).toEqual(['lost']);
  });

  it('detects a close by the server immediately', async () => {
    open();
    await settle();
    peer().turn('connected');
    peer().transport.state = 'closed';
    peer().transport.dispatchEvent(new Event('statechange'));
    expect(problems.map(({ kind }) => kind)).toEqual(['ended']);
  });

  it('closes the session when the page is left', async () => {
    open();
    await settle();
    peer().turn('connected');
    window.dispatchEvent(new Event('pagehide'));
    expect(deletes()).toHaveLength(1);
    expect(problems.map(({ kind }) => kind)).toEqual(['lost']);
  });
});
