// List of every API call, from which routes, the OpenAPI document and tests are generated.

import { type Endpoint, endpointsIn } from './endpoint.ts';
import * as audit from './endpoints/audit.ts';
import * as cameras from './endpoints/cameras.ts';
import * as channels from './endpoints/channels.ts';
import * as cloudRecording from './endpoints/cloud-recording.ts';
import * as components from './endpoints/components.ts';
import * as demoStream from './endpoints/demo-stream.ts';
import * as drain from './endpoints/drain.ts';
import * as firstSteps from './endpoints/first-steps.ts';
import * as forwards from './endpoints/forwards.ts';
import * as ladder from './endpoints/ladder.ts';
import * as laterReleases from './endpoints/later-releases.ts';
import * as liveClients from './endpoints/live-clients.ts';
import * as liveRooms from './endpoints/live-rooms.ts';
import * as mediaServerHooks from './endpoints/media-server-hooks.ts';
import * as monitor from './endpoints/monitor.ts';
import * as records from './endpoints/records.ts';
import * as session from './endpoints/session.ts';
import * as adminKey from './endpoints/settings/admin-key.ts';
import * as beian from './endpoints/settings/beian.ts';
import * as bitrateLimits from './endpoints/settings/bitrate-limits.ts';
import * as certificates from './endpoints/settings/certificates.ts';
import * as cluster from './endpoints/settings/cluster.ts';
import * as hlsSettings from './endpoints/settings/hls-settings.ts';
import * as hooks from './endpoints/settings/hooks.ts';
import * as loadBalancer from './endpoints/settings/load-balancer.ts';
import * as objectStorage from './endpoints/settings/object-storage.ts';
import * as publishSecret from './endpoints/settings/publish-secret.ts';
import * as slates from './endpoints/settings/slates.ts';
import * as streamKeys from './endpoints/settings/stream-keys.ts';
import * as upgradeWindow from './endpoints/settings/upgrade-window.ts';
import * as upgrades from './endpoints/settings/upgrades.ts';
import * as usageLimit from './endpoints/settings/usage-limit.ts';
import * as watchPage from './endpoints/settings/watch-page.ts';
import * as watching from './endpoints/settings/watching.ts';
import * as webFront from './endpoints/settings/web-front.ts';
import * as snapshots from './endpoints/snapshots.ts';
import * as streams from './endpoints/streams.ts';
import * as system from './endpoints/system.ts';
import * as transcode from './endpoints/transcode.ts';
import * as tutorials from './endpoints/tutorials.ts';
import * as versions from './endpoints/versions.ts';
import * as vlives from './endpoints/vlives.ts';
import * as workerLogs from './endpoints/worker-logs.ts';
import { type CallName, paths } from './paths.ts';

const declared = {
  ...endpointsIn(adminKey),
  ...endpointsIn(audit),
  ...endpointsIn(beian),
  ...endpointsIn(bitrateLimits),
  ...endpointsIn(certificates),
  ...endpointsIn(cloudRecording),
  ...endpointsIn(cluster),
  ...endpointsIn(components),
  ...endpointsIn(demoStream),
  ...endpointsIn(drain),
  ...endpointsIn(firstSteps),
  ...endpointsIn(cameras),
  ...endpointsIn(forwards),
  ...endpointsIn(hlsSettings),
  ...endpointsIn(hooks),
  ...endpointsIn(ladder),
  ...endpointsIn(laterReleases),
  ...endpointsIn(liveClients),
  ...endpointsIn(liveRooms),
  ...endpointsIn(channels),
  ...endpointsIn(loadBalancer),
  ...endpointsIn(mediaServerHooks),
  ...endpointsIn(monitor),
  ...endpointsIn(objectStorage),
  ...endpointsIn(publishSecret),
  ...endpointsIn(records),
  ...endpointsIn(snapshots),
  ...endpointsIn(session),
  ...endpointsIn(streamKeys),
  ...endpointsIn(streams),
  ...endpointsIn(system),
  ...endpointsIn(transcode),
  ...endpointsIn(tutorials),
  ...endpointsIn(upgradeWindow),
  ...endpointsIn(upgrades),
  ...endpointsIn(slates),
  ...endpointsIn(usageLimit),
  ...endpointsIn(versions),
  ...endpointsIn(vlives),
  ...endpointsIn(watchPage),
  ...endpointsIn(watching),
  ...endpointsIn(webFront),
  ...endpointsIn(workerLogs),
} satisfies Readonly<Record<CallName, Endpoint>>;

const names = Object.keys(paths) as CallName[];

/** Calls by name, in the order of `paths.ts`. The name is the operation id in the OpenAPI document. */
export const endpoints = Object.fromEntries(names.map((name) => [name, declared[name]])) as typeof declared;

export type EndpointName = CallName;
