// WebRTC in a real browser, like any WHIP or WHEP client, without pages of the product.
import type { Page } from 'playwright-core';
import { patience } from '../../scripts/test-run/patience.ts';

export interface Played {
  readonly frames: number;
  readonly width: number;
  readonly isBlack: boolean;
  /** Sum of the energy of all received audio; 0 for silence. */
  readonly audioEnergy: number;
}

/** Publishes camera and microphone of the page. Resolves with the HTTP status of the response. */
export function publishByWhip(page: Page, url: string, size = { width: 640, height: 360 }): Promise<number> {
  return page.evaluate(
    async ({ address, video }) => {
      const media = await navigator.mediaDevices.getUserMedia({ video, audio: true });
      const peer = new RTCPeerConnection();
      for (const track of media.getTracks()) peer.addTransceiver(track, { direction: 'sendonly' });
      await peer.setLocalDescription();
      const response = await fetch(address, { method: 'POST', body: peer.localDescription?.sdp ?? '' });
      if (response.ok) await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() });
      Object.assign(window, { publishing: peer });
      return response.status;
    },
    { address: url, video: size },
  );
}

/** Scales the video of `publishByWhip` down, as a browser does when bandwidth decreases. */
export function scalePublished(page: Page, scaleResolutionDownBy: number): Promise<void> {
  return page.evaluate(async (scale) => {
    const { publishing } = window as unknown as { publishing: RTCPeerConnection };
    const sender = publishing.getSenders().find(({ track }) => track?.kind === 'video')!;
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) encoding.scaleResolutionDownBy = scale;
    await sender.setParameters(parameters);
  }, scaleResolutionDownBy);
}

/** Requests playback and leaves immediately. Resolves with the HTTP status and the body of the response. */
export function askByWhep(page: Page, url: string): Promise<{ status: number; text: string }> {
  return page.evaluate(async (address) => {
    const peer = new RTCPeerConnection();
    for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
    await peer.setLocalDescription();
    const response = await fetch(address, { method: 'POST', body: peer.localDescription?.sdp ?? '' });
    peer.close();
    return { status: response.status, text: await response.text() };
  }, url);
}

/** Timeout for video and audio to arrive, milliseconds. */
const playedWithinMs = 30_000 * patience;

/**
 * Plays until 30 frames were displayed and audio was audible. Browsers do not measure muted audio, so audio is not
 * muted.
 * Rejects after a timeout with the statistics.
 */
export function playByWhep(page: Page, url: string): Promise<Played> {
  return page.evaluate(
    async ({ address, withinMs }) => {
      const peer = new RTCPeerConnection();
      const video = document.body.appendChild(document.createElement('video'));
      const stream = new MediaStream();
      video.srcObject = stream;
      peer.ontrack = ({ track }) => stream.addTrack(track);
      for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
      await peer.setLocalDescription();
      const response = await fetch(address, { method: 'POST', body: peer.localDescription?.sdp ?? '' });
      await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() });
      let frames = 0;
      let audioEnergy = 0;
      const tooLate = new Promise<never>((_resolve, reject) => {
        const problem = () =>
          `${frames} frames, audio energy ${audioEnergy}; the connection is ${peer.connectionState}`;
        setTimeout(() => reject(new Error(problem())), withinMs);
      });
      await Promise.race([video.play(), tooLate]);
      const heard = async (): Promise<number> => {
        for (const report of (await peer.getStats()).values()) {
          if (report.type === 'inbound-rtp' && report.kind === 'audio') return report.totalAudioEnergy ?? 0;
        }
        return 0;
      };
      const seenAndHeard = new Promise<void>((resolve) => {
        const onFrame = async (): Promise<void> => {
          frames++;
          audioEnergy = await heard();
          if (frames >= 30 && audioEnergy > 0) resolve();
          else video.requestVideoFrameCallback(() => void onFrame());
        };
        video.requestVideoFrameCallback(() => void onFrame());
      });
      await Promise.race([seenAndHeard, tooLate]);
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d');
      context?.drawImage(video, 0, 0, 64, 36);
      const pixels = context?.getImageData(0, 0, 64, 36).data ?? new Uint8ClampedArray();
      const isBlack = pixels.every((value, index) => index % 4 === 3 || value < 16);
      const { videoWidth: width } = video;
      peer.close();
      return { frames, width, isBlack, audioEnergy };
    },
    { address: url, withinMs: playedWithinMs },
  );
}
