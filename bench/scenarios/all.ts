// All scenarios, in the order they run.
import { cameraScenarios } from './cameras.ts';
import { channelScenarios } from './channels.ts';
import { curveScenarios } from './curves.ts';
import { gatewayScenarios } from './gateways.ts';
import { hlsScenarios } from './hls.ts';
import { httpFlvScenarios } from './http-flv.ts';
import { ingestScenarios } from './ingest.ts';
import { productScenarios } from './product.ts';
import { pushScenarios } from './pushes.ts';
import { recordingScenarios } from './recording.ts';
import { rtspScenarios } from './rtsp.ts';
import type { Scenario } from './scenario.ts';
import { slowViewerScenarios } from './slow-viewer.ts';
import { srtScenarios } from './srt.ts';
import { sseScenarios } from './sse.ts';
import { uploadScenarios } from './uploads.ts';
import { webrtcScenarios } from './webrtc.ts';
import { workerScenarios } from './workers.ts';

export const scenarios: readonly Scenario[] = [
  ...httpFlvScenarios,
  ...ingestScenarios,
  ...cameraScenarios,
  ...channelScenarios,
  ...hlsScenarios,
  ...productScenarios,
  ...sseScenarios,
  ...workerScenarios,
  ...pushScenarios,
  ...uploadScenarios,
  ...webrtcScenarios,
  ...slowViewerScenarios,
  ...srtScenarios,
  ...rtspScenarios,
  ...gatewayScenarios,
  // Recordings run late: ten thousand recordings stay in the data folder, and later starts would process them during measurements.
  ...recordingScenarios,
  ...curveScenarios,
];
