export * from './addresses.ts';
export * from './calls.ts';
export { type EndpointName, endpoints } from './catalogue.ts';
export * from './constants.ts';
export * from './endpoint.ts';
export { type AuditEntry, auditActions, auditEntry } from './endpoints/audit.ts';
export {
  type Camera,
  type CameraRow,
  camera,
  cameraRow,
  type DiscoveredCamera,
  type OnvifDevice,
  type OnvifProfile,
} from './endpoints/cameras.ts';
export { type DemoStream, demoStream } from './endpoints/demo-stream.ts';
export type { DrainState } from './endpoints/drain.ts';
export { type FirstSteps, firstSteps } from './endpoints/first-steps.ts';
export {
  type ForwardImport,
  type ForwardListRow,
  type ForwardRow,
  type ForwardTarget,
  forwardRow,
  forwardTarget,
  type TargetTest,
  type TargetTestRequest,
} from './endpoints/forwards.ts';
export {
  type LadderConfig,
  type LadderCosts,
  type LadderStep,
  type LadderTask,
  ladderConfig,
  type RenditionRow,
} from './endpoints/ladder.ts';
export { maxClientRows } from './endpoints/live-clients.ts';
export { type RecordRules, recordRules } from './endpoints/records.ts';
export type { CertificateFacts, CertificateOrder, CertificateState } from './endpoints/settings/certificates.ts';
export type { ClusterNodeRow, ClusterTrouble } from './endpoints/settings/cluster.ts';
export { type HookDelivery, hookDelivery } from './endpoints/settings/hooks.ts';
export { type BalancerProgram, balancerPrograms } from './endpoints/settings/load-balancer.ts';
export { type ProxyLocation, proxyLocation } from './endpoints/settings/web-front.ts';
export { type Snapshot, type SnapshotTimer, snapshotTimer } from './endpoints/snapshots.ts';
export { type ActiveStream, activeStream } from './endpoints/streams.ts';
export { type Environment, environment } from './endpoints/system.ts';
export { type TranscodeConfig, type TranscodeTask, transcodeConfig, transcodeTask } from './endpoints/transcode.ts';
export { type VideoFacts, videoFacts } from './endpoints/tutorials.ts';
export {
  type VlivePlaying,
  type VliveRow,
  type VliveTarget,
  vlivePlaying,
  vliveRow,
  vliveTarget,
} from './endpoints/vlives.ts';
export * from './errors.ts';
export * from './file-handover.ts';
export * from './forbidden-networks.ts';
export * from './limits.ts';
export * from './models/cloud-recording.ts';
export * from './models/event-stream.ts';
export * from './models/file-node.ts';
export * from './models/live-client.ts';
export * from './models/live-stream.ts';
export * from './models/media-source.ts';
export * from './models/monitor.ts';
export * from './models/object-storage.ts';
export * from './models/push-target.ts';
export * from './models/record-plan.ts';
export * from './models/recording.ts';
export * from './models/refusal-facts.ts';
export * from './models/secret-use.ts';
export { type Session, session } from './models/session.ts';
export * from './models/stream-health.ts';
export * from './models/transcode-picture.ts';
export * from './models/upgrade.ts';
export * from './models/viewers.ts';
export { wirePhrase } from './models/wire-phrase.ts';
export * from './models/worker.ts';
export * from './paths.ts';
export * from './phrases.ts';
export * from './refusal-details.ts';
export * from './rendition-name.ts';
export * from './setting-changes.ts';
export * from './stream-name.ts';
export * from './stream-pattern.ts';
export * from './values/certificates.ts';
export * from './values/cluster.ts';
export * from './values/components.ts';
export * from './values/hooks.ts';
export * from './values/ladder.ts';
export * from './values/monitor.ts';
export * from './values/object-storage.ts';
export * from './values/push-targets.ts';
export * from './values/push-tests.ts';
export * from './values/refusals.ts';
export * from './values/source-kinds.ts';
export * from './values/transcode-picture.ts';
export * from './values/upgrades.ts';
export * from './values/viewers.ts';
export * from './values/watch-page.ts';
export * from './values/watching.ts';
export * from './values/workers.ts';
export type { HlsSegmentEvent, StreamEvent } from './wire/callback-bodies.ts';
export * from './worker-details.ts';
