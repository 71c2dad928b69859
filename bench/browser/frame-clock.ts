// Publishes a video. Each frame contains its drawing time, encoded as black and white blocks.
// `readClock` decodes the time in a page that plays the video. Both functions run in a browser page, so they have no imports.

/** Positions of the blocks, pixels of a frame of `width` × `height`. Blocks this large survive any encoder. */
export interface ClockLayout {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  readonly blockPx: number;
  /** Number of blocks that encode the time in milliseconds, one bit per block. The blocks after them contain a checksum. */
  readonly timeBits: number;
}

/** 24 bits of milliseconds repeat after 4.6 hours. */
export const clockLayout: ClockLayout = { width: 640, height: 360, columns: 8, rows: 4, blockPx: 40, timeBits: 24 };

export interface ClockPublication {
  readonly url: string;
  readonly layout: ClockLayout;
  readonly framesPerSecond: number;
}

export interface ClockReading {
  readonly url: string;
  readonly layout: ClockLayout;
  /** Number of frames shown before the measurement starts. */
  readonly settleFrames: number;
  readonly frames: number;
}

/** One displayed frame. */
export interface ShownPicture {
  /** Milliseconds since 1970 modulo the clock's range; -1 when the blocks could not be decoded. */
  readonly drawnAt: number;
  /** Time from drawing to display, milliseconds. */
  readonly latencyMs: number;
}

export interface ClockResult {
  readonly pictures: readonly ShownPicture[];
  /** Frames that the browser presented, including frames for which no callback ran. */
  readonly presented: number;
  /** Mean time in the jitter buffer and mean decoding time, milliseconds per frame. */
  readonly jitterBufferMs: number;
  readonly decodeMs: number;
  /** Width of the last frame, pixels: browsers reduce the resolution when bandwidth is low. */
  readonly width: number;
  readonly kbps: number;
}

/** Publishes the clock over WHIP; resolves with the HTTP status. `window.drawnTimes` lists the drawn times, oldest first. */
export async function publishClock({ url, layout, framesPerSecond }: ClockPublication): Promise<number> {
  const { width, height, columns, rows, blockPx, timeBits } = layout;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d', { alpha: false })!;
  const drawn: number[] = [];
  (window as unknown as { drawnTimes: number[] }).drawnTimes = drawn;
  const track = canvas.captureStream(0).getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;

  const draw = (): void => {
    const time = Date.now() % 2 ** timeBits;
    const phase = (performance.now() / 5) % width;
    for (let bar = 0; bar < 16; bar++) {
      context.fillStyle = `hsl(${bar * 22} 60% 50%)`;
      context.fillRect((bar * 40 + phase) % width, rows * blockPx, 40, height);
    }
    context.fillStyle = '#000';
    context.fillRect(0, 0, columns * blockPx, rows * blockPx);
    context.fillStyle = '#fff';
    const check = (time ^ (time >> 8) ^ (time >> 16) ^ 0xa5) & 0xff;
    for (let bit = 0; bit < columns * rows; bit++) {
      const isSet = bit < timeBits ? (time >> bit) & 1 : (check >> (bit - timeBits)) & 1;
      if (isSet) context.fillRect((bit % columns) * blockPx, Math.floor(bit / columns) * blockPx, blockPx, blockPx);
    }
    drawn.push(time);
    track.requestFrame();
  };
  draw();
  setInterval(draw, 1000 / framesPerSecond);

  const peer = new RTCPeerConnection();
  peer.addTransceiver(track, { direction: 'sendonly' });
  await peer.setLocalDescription();
  const response = await fetch(url, { method: 'POST', body: peer.localDescription?.sdp ?? '' });
  if (response.ok) await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  return response.status;
}

/** Plays the clock over WHEP and reads the time of every displayed frame. Logs `reading` to the console when the measurement starts. */
// oxlint-disable-next-line max-lines-per-function -- the page gets it as one text, with nothing around it
export async function readClock({ url, layout, settleFrames, frames }: ClockReading): Promise<ClockResult> {
  const { columns, rows, blockPx, timeBits } = layout;
  /** Each block is scaled down to this width and height, pixels. Only the pixel in the middle is read. */
  const samplePx = 8;
  const peer = new RTCPeerConnection();
  const video = document.body.appendChild(document.createElement('video'));
  video.muted = true;
  const stream = new MediaStream();
  video.srcObject = stream;
  peer.ontrack = ({ track }) => stream.addTrack(track);
  peer.addTransceiver('video', { direction: 'recvonly' });
  await peer.setLocalDescription();
  const response = await fetch(url, { method: 'POST', body: peer.localDescription?.sdp ?? '' });
  if (!response.ok) throw new Error(`the WHEP request failed with HTTP ${response.status}: ${await response.text()}`);
  await peer.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  void video.play();

  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [columns * samplePx, rows * samplePx];
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const readTime = (): number => {
    const scale = video.videoWidth / layout.width;
    const [fromWidth, fromHeight] = [columns * blockPx * scale, rows * blockPx * scale];
    context.drawImage(video, 0, 0, fromWidth, fromHeight, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const isSet = (bit: number): number => {
      const x = (bit % columns) * samplePx + samplePx / 2;
      const y = Math.floor(bit / columns) * samplePx + samplePx / 2;
      return data[(y * canvas.width + x) * 4 + 1]! > 127 ? 1 : 0;
    };
    let [time, check] = [0, 0];
    for (let bit = 0; bit < columns * rows; bit++) {
      if (bit < timeBits) time |= isSet(bit) << bit;
      else check |= isSet(bit) << (bit - timeBits);
    }
    return check === ((time ^ (time >> 8) ^ (time >> 16) ^ 0xa5) & 0xff) ? time : -1;
  };
  const inbound = async () => {
    for (const report of (await peer.getStats()).values()) {
      if (report.type === 'inbound-rtp' && report.kind === 'video') return report;
    }
    return {};
  };

  const pictures: ShownPicture[] = [];
  let seen = 0;
  let [firstPresented, lastPresented] = [0, 0];
  let before = await inbound();
  await new Promise<void>((resolve) => {
    const onFrame: VideoFrameRequestCallback = (_now, { expectedDisplayTime, presentedFrames }) => {
      seen += 1;
      if (seen === settleFrames) {
        firstPresented = presentedFrames;
        console.info('reading');
        void inbound().then((report) => {
          before = report;
        });
      } else if (seen > settleFrames) {
        lastPresented = presentedFrames;
        const range = 2 ** timeBits;
        // The wall clock is used because the origin of performance.now() differs by milliseconds between processes.
        // For live video, browsers may report an expected display time in the past. The time of this callback then counts as the display time.
        const shownAt = Date.now() + Math.max(0, expectedDisplayTime - performance.now());
        const drawnAt = readTime();
        const age = (((shownAt - drawnAt) % range) + range) % range;
        // The modulo turns a slightly negative age into a value near `range`.
        pictures.push({ drawnAt, latencyMs: age > range / 2 ? age - range : age });
      }
      if (pictures.length >= frames) resolve();
      else video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  });
  const after = await inbound();
  const mean = (total: string, count: string): number =>
    ((after[total] - (before[total] ?? 0)) * 1000) / Math.max(1, after[count] - (before[count] ?? 0));
  const result = {
    pictures,
    presented: lastPresented - firstPresented,
    jitterBufferMs: mean('jitterBufferDelay', 'jitterBufferEmittedCount'),
    decodeMs: mean('totalDecodeTime', 'framesDecoded'),
    width: video.videoWidth,
    kbps: ((after.bytesReceived - (before.bytesReceived ?? 0)) * 8) / Math.max(1, after.timestamp - before.timestamp),
  };
  peer.close();
  return result;
}
