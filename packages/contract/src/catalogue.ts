// Every call of the product. Routes, the OpenAPI document and the tests walk this list.

import type { Endpoint } from './endpoint.ts';
import * as adminKey from './endpoints/admin-key.ts';
import * as audit from './endpoints/audit.ts';
import * as beian from './endpoints/beian.ts';
import * as bitrateLimits from './endpoints/bitrate-limits.ts';
import * as certificates from './endpoints/certificates.ts';
import * as cloudRecording from './endpoints/cloud-recording.ts';
import * as components from './endpoints/components.ts';
import * as demoStream from './endpoints/demo-stream.ts';
import * as firstSteps from './endpoints/first-steps.ts';
import * as forwards from './endpoints/forwards.ts';
import * as hlsSettings from './endpoints/hls-settings.ts';
import * as hooks from './endpoints/hooks.ts';
import * as laterReleases from './endpoints/later-releases.ts';
import * as liveClients from './endpoints/live-clients.ts';
import * as loadBalancer from './endpoints/load-balancer.ts';
import * as mediaServerHooks from './endpoints/media-server-hooks.ts';
import * as monitor from './endpoints/monitor.ts';
import * as publishSecret from './endpoints/publish-secret.ts';
import * as records from './endpoints/records.ts';
import * as session from './endpoints/session.ts';
import * as streams from './endpoints/streams.ts';
import * as system from './endpoints/system.ts';
import * as transcode from './endpoints/transcode.ts';
import * as tutorials from './endpoints/tutorials.ts';
import * as upgradeWindow from './endpoints/upgrade-window.ts';
import * as upgrades from './endpoints/upgrades.ts';
import * as usageLimit from './endpoints/usage-limit.ts';
import * as versions from './endpoints/versions.ts';
import * as vlives from './endpoints/vlives.ts';
import * as webFront from './endpoints/web-front.ts';
import * as workerLogs from './endpoints/worker-logs.ts';

/** Calls by name; the key is the operation id of the OpenAPI document. */
export const endpoints = {
  queryVersion: versions.queryVersion,
  init: session.init,
  login: session.login,
  logOut: session.logOut,
  renewToken: session.renewToken,
  querySecret: session.querySecret,
  changePassword: session.changePassword,
  signOutEverywhere: session.signOutEverywhere,
  queryAudit: audit.queryAudit,
  check: system.check,
  status: system.status,
  envs: system.envs,
  queryFirstSteps: firstSteps.queryFirstSteps,
  bilibili: tutorials.bilibili,
  queryBeian: beian.queryBeian,
  updateBeian: beian.updateBeian,
  queryHighPerformanceHls: hlsSettings.queryHighPerformanceHls,
  updateHighPerformanceHls: hlsSettings.updateHighPerformanceHls,
  queryLowLatencyHls: hlsSettings.queryLowLatencyHls,
  updateLowLatencyHls: hlsSettings.updateLowLatencyHls,
  queryLimits: bitrateLimits.queryLimits,
  updateLimits: bitrateLimits.updateLimits,
  queryUsageLimit: usageLimit.queryUsageLimit,
  updateUsageLimit: usageLimit.updateUsageLimit,
  queryUpgradeWindow: upgradeWindow.queryUpgradeWindow,
  updateUpgradeWindow: upgradeWindow.updateUpgradeWindow,
  queryUpgrade: upgrades.queryUpgrade,
  lookForReleases: upgrades.lookForReleases,
  startUpgrade: upgrades.startUpgrade,
  updateUpgradeSettings: upgrades.updateUpgradeSettings,
  queryHomepage: webFront.queryHomepage,
  updateHomepage: webFront.updateHomepage,
  queryProxyLocations: webFront.queryProxyLocations,
  updateProxyLocations: webFront.updateProxyLocations,
  queryLoadBalancer: loadBalancer.queryLoadBalancer,
  updateLoadBalancer: loadBalancer.updateLoadBalancer,
  queryComponents: components.queryComponents,
  updateComponent: components.updateComponent,
  queryAdminKey: adminKey.queryAdminKey,
  updateAdminKey: adminKey.updateAdminKey,
  queryPublishSecret: publishSecret.queryPublishSecret,
  updatePublishSecret: publishSecret.updatePublishSecret,
  disablePublishSecret: publishSecret.disablePublishSecret,
  queryHooks: hooks.queryHooks,
  applyHooks: hooks.applyHooks,
  hooksExample: hooks.hooksExample,
  queryHookDeliveries: hooks.queryHookDeliveries,
  testHooks: hooks.testHooks,
  queryCertificate: certificates.queryCertificate,
  queryCertificateStatus: certificates.queryCertificateStatus,
  updateCertificate: certificates.updateCertificate,
  requestLetsEncrypt: certificates.requestLetsEncrypt,
  createSelfSignedCertificate: certificates.createSelfSignedCertificate,
  queryStreams: streams.queryStreams,
  kickStream: streams.kickStream,
  queryLive: streams.queryLive,
  queryLiveClients: liveClients.queryLiveClients,
  kickLiveClient: liveClients.kickLiveClient,
  queryStreamPicture: liveClients.queryStreamPicture,
  queryMonitor: monitor.queryMonitor,
  queryMonitorHistory: monitor.queryMonitorHistory,
  forwardSecret: forwards.forwardSecret,
  forwardStreams: forwards.forwardStreams,
  removeForward: forwards.removeForward,
  vliveSecret: vlives.vliveSecret,
  vliveStreams: vlives.vliveStreams,
  vliveStreamUrl: vlives.vliveStreamUrl,
  vliveServerFile: vlives.vliveServerFile,
  vliveSource: vlives.vliveSource,
  removeVlive: vlives.removeVlive,
  queryLibrary: vlives.queryLibrary,
  removeLibraryFile: vlives.removeLibraryFile,
  queryDemoStream: demoStream.queryDemoStream,
  startDemoStream: demoStream.startDemoStream,
  stopDemoStream: demoStream.stopDemoStream,
  queryTranscode: transcode.queryTranscode,
  applyTranscode: transcode.applyTranscode,
  queryTranscodeTask: transcode.queryTranscodeTask,
  uploadWatermark: transcode.uploadWatermark,
  queryWatermark: transcode.queryWatermark,
  queryWorkerLogs: workerLogs.queryWorkerLogs,
  queryRecord: records.queryRecord,
  applyRecord: records.applyRecord,
  updateRecordGlobs: records.updateRecordGlobs,
  updateRecordPostProcessing: records.updateRecordPostProcessing,
  queryRecordFiles: records.queryRecordFiles,
  queryRecordStatus: records.queryRecordStatus,
  removeRecord: records.removeRecord,
  endRecord: records.endRecord,
  queryRecordBin: records.queryRecordBin,
  restoreRecord: records.restoreRecord,
  emptyRecordBin: records.emptyRecordBin,
  queryStreamRecording: records.queryStreamRecording,
  updateStreamRecording: records.updateStreamRecording,
  queryRecordRetention: records.queryRecordRetention,
  updateRecordRetention: records.updateRecordRetention,
  queryDvr: cloudRecording.queryDvr,
  applyDvr: cloudRecording.applyDvr,
  queryDvrFiles: cloudRecording.queryDvrFiles,
  removeDvr: cloudRecording.removeDvr,
  queryVod: cloudRecording.queryVod,
  applyVod: cloudRecording.applyVod,
  queryVodFiles: cloudRecording.queryVodFiles,
  removeVod: cloudRecording.removeVod,
  updateCloudSecret: cloudRecording.updateCloudSecret,
  queryCloudAccount: cloudRecording.queryCloudAccount,
  listRooms: laterReleases.listRooms,
  queryOpenai: laterReleases.queryOpenai,
  cameraSecret: laterReleases.cameraSecret,
  cameraStreams: laterReleases.cameraStreams,
  verifyStream: mediaServerHooks.verifyStream,
  hlsSegment: mediaServerHooks.hlsSegment,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
