// Records every frame that a video element displays, with time and brightness, and reads decoding statistics of the browser.
import type { Page } from 'playwright-core';

export interface ShownFrame {
  /** Time on the clock of the video, seconds. For WebRTC this is the RTP time. */
  readonly time: number;
  /** Mean brightness, 0 to 255. */
  readonly brightness: number;
}

/** Records the frames of the page's first video from now on. */
export function recordFrames(page: Page): Promise<void> {
  return page.evaluate(record);
}

export function shownFrames(page: Page): Promise<ShownFrame[]> {
  return page.evaluate(() => (window as unknown as { shown: ShownFrame[] }).shown);
}

/** Plays over WHEP in the page's first video until the page is closed. Resolves with the HTTP status. */
export function startWhep(page: Page, url: string): Promise<number> {
  return page.evaluate(async (address) => {
    const peer = new RTCPeerConnection();
    const stream = new MediaStream();
    document.querySelector('video')!.srcObject = stream;
    peer.ontrack = ({ track }) => stream.addTrack(track);
    for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
    await peer.setLocalDescription();
    const response = await fetch(address, { method: 'POST', body: peer.localDescription?.sdp ?? '' });
    if (response.ok) await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() });
    Object.assign(window, { playing: peer });
    return response.status;
  }, url);
}

export interface WhepFacts {
  readonly connectionState: string;
  readonly packetsLost: number;
  /** Number of keyframes that the browser requested because it could not decode a frame. */
  readonly keyframeRequests: number;
}

export function whepFacts(page: Page): Promise<WhepFacts | undefined> {
  return page.evaluate(async () => {
    const { playing } = window as unknown as { playing: RTCPeerConnection };
    const { connectionState } = playing;
    for (const report of (await playing.getStats()).values()) {
      if (report.type !== 'inbound-rtp' || report.kind !== 'video') continue;
      return { connectionState, packetsLost: report.packetsLost, keyframeRequests: report.pliCount };
    }
    return undefined;
  });
}

function record(): void {
  const video = document.querySelector('video')!;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [16, 9];
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const shown: { time: number; brightness: number }[] = [];
  Object.assign(window, { shown });
  const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, rtpTimestamp }) => {
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) sum += (data[i]! + data[i + 1]! + data[i + 2]!) / 3;
    const time = rtpTimestamp === undefined ? mediaTime : rtpTimestamp / 90_000;
    shown.push({ time, brightness: sum / (data.length / 4) });
    video.requestVideoFrameCallback(onFrame);
  };
  video.requestVideoFrameCallback(onFrame);
}
