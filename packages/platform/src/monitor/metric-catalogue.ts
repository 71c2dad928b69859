// Every metric Prometheus can read, by a short name. docs/metrics.md lists the same, and the Grafana dashboard asks for no
// other: a test compares them.
import type { MetricDefinition } from './prometheus-text.ts';

export const metricCatalogue = {
  build: {
    name: 'srs_stack_build_info',
    type: 'gauge',
    help: 'Always 1; the label has the version.',
    labels: ['version'],
  },
  engineUp: { name: 'srs_stack_engine_up', type: 'gauge', help: '1 while the media engine answers, else 0.' },
  engineFaults: {
    name: 'srs_stack_engine_faults_total',
    type: 'counter',
    help: 'Errors of its own that the media engine contained since it started.',
  },
  streams: { name: 'srs_stack_streams', type: 'gauge', help: 'Streams that are being published.' },
  viewers: {
    name: 'srs_stack_viewers',
    type: 'gauge',
    help: 'Viewers by the way they watch.',
    labels: ['protocol'],
  },
  receivedBytes: {
    name: 'srs_stack_received_bytes_total',
    type: 'counter',
    help: 'Media bytes received from publishers since the engine started.',
  },
  sentBytes: {
    name: 'srs_stack_sent_bytes_total',
    type: 'counter',
    help: 'Media bytes sent to viewers since the engine started.',
  },
  connections: { name: 'srs_stack_connections', type: 'gauge', help: 'Connections of publishers and viewers.' },
  serverUp: {
    name: 'srs_stack_media_server_up',
    type: 'gauge',
    help: '1 while this media server answers, else 0.',
    labels: ['server'],
  },
  serverCpu: {
    name: 'srs_stack_media_server_cpu_cores',
    type: 'gauge',
    help: 'CPU cores used by one media server.',
    labels: ['server'],
  },
  serverMemory: {
    name: 'srs_stack_media_server_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory of one media server.',
    labels: ['server'],
  },
  serverConnections: {
    name: 'srs_stack_media_server_connections',
    type: 'gauge',
    help: 'Connections of publishers and viewers to one media server.',
    labels: ['server'],
  },
  serverReceived: {
    name: 'srs_stack_media_server_received_bytes_total',
    type: 'counter',
    help: 'Media bytes received by one media server since it started.',
    labels: ['server'],
  },
  serverSent: {
    name: 'srs_stack_media_server_sent_bytes_total',
    type: 'counter',
    help: 'Media bytes sent by one media server since it started.',
    labels: ['server'],
  },
  publishes: {
    name: 'srs_stack_publishes_total',
    type: 'counter',
    help: 'Accepted publishes since the installation.',
  },
  plays: { name: 'srs_stack_plays_total', type: 'counter', help: 'Started plays since the installation.' },
  streamReceived: {
    name: 'srs_stack_stream_received_bytes_total',
    type: 'counter',
    help: 'Media bytes received for one stream since it is published.',
    labels: ['app', 'stream'],
  },
  streamSent: {
    name: 'srs_stack_stream_sent_bytes_total',
    type: 'counter',
    help: 'Media bytes sent to the viewers of one stream since it is published.',
    labels: ['app', 'stream'],
  },
  streamViewers: {
    name: 'srs_stack_stream_viewers',
    type: 'gauge',
    help: 'Viewers of one stream.',
    labels: ['app', 'stream'],
  },
  streamsUnlabelled: {
    name: 'srs_stack_streams_without_metrics',
    type: 'gauge',
    help: 'Live streams beyond the most that have metrics of their own.',
  },
  viewerReports: {
    name: 'srs_stack_viewer_reports_total',
    type: 'counter',
    help: 'Reports of players by what became of them.',
    labels: ['result'],
  },
  viewerSeconds: {
    name: 'srs_stack_viewer_watched_seconds_total',
    type: 'counter',
    help: 'Time watched, as players reported it.',
    labels: ['app', 'stream', 'output'],
  },
  viewerStalledSeconds: {
    name: 'srs_stack_viewer_stalled_seconds_total',
    type: 'counter',
    help: 'Time in which the picture of a viewer stood still, as players reported it.',
    labels: ['app', 'stream', 'output'],
  },
  viewerStalls: {
    name: 'srs_stack_viewer_stalls_total',
    type: 'counter',
    help: 'Stalls of pictures, as players reported them.',
    labels: ['app', 'stream', 'output'],
  },
  viewerBytes: {
    name: 'srs_stack_viewer_received_bytes_total',
    type: 'counter',
    help: 'Media bytes received by viewers, as players reported them.',
    labels: ['app', 'stream', 'output'],
  },
  viewerFrames: {
    name: 'srs_stack_viewer_frames_total',
    type: 'counter',
    help: 'Frames that players decoded, dropped ones included.',
    labels: ['app', 'stream', 'output'],
  },
  viewerDropped: {
    name: 'srs_stack_viewer_dropped_frames_total',
    type: 'counter',
    help: 'Frames that players dropped.',
    labels: ['app', 'stream', 'output'],
  },
  viewerMoves: {
    name: 'srs_stack_viewer_way_changes_total',
    type: 'counter',
    help: 'Changes of players to another way to play, because this one did not do.',
    labels: ['output'],
  },
  viewerErrors: {
    name: 'srs_stack_viewer_errors_total',
    type: 'counter',
    help: 'What kept pictures from viewers, as players reported it.',
    labels: ['output', 'kind'],
  },
  viewerJoin: {
    name: 'srs_stack_viewer_join_seconds',
    type: 'histogram',
    help: 'Time from asking to the first picture.',
    labels: ['app', 'stream', 'output', 'le'],
  },
  viewerDelay: {
    name: 'srs_stack_viewer_delay_seconds',
    type: 'histogram',
    help: 'How far the picture of a viewer was behind, one value for each report.',
    labels: ['app', 'stream', 'output', 'le'],
  },
  machineCpu: { name: 'srs_stack_machine_cpu_ratio', type: 'gauge', help: 'Busy share of all CPU cores, 0 to 1.' },
  processCpu: {
    name: 'srs_stack_process_cpu_cores',
    type: 'gauge',
    help: 'CPU cores used by a process of the product.',
    labels: ['process'],
  },
  memoryTotal: { name: 'srs_stack_machine_memory_total_bytes', type: 'gauge', help: 'Memory of the machine.' },
  memoryUsed: {
    name: 'srs_stack_machine_memory_used_bytes',
    type: 'gauge',
    help: 'Memory in use that cannot be freed at once.',
  },
  processMemory: {
    name: 'srs_stack_process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory of a process of the product.',
    labels: ['process'],
  },
  diskTotal: { name: 'srs_stack_disk_total_bytes', type: 'gauge', help: 'Size of the file system of the data folder.' },
  diskFree: {
    name: 'srs_stack_disk_free_bytes',
    type: 'gauge',
    help: 'Free room of the file system of the data folder.',
  },
  certificateEnd: {
    name: 'srs_stack_certificate_seconds_left',
    type: 'gauge',
    help: 'Time until the HTTPS certificate ends, in whole days; negative after it.',
  },
  workers: {
    name: 'srs_stack_workers',
    type: 'gauge',
    help: 'Switched-on FFmpeg tasks by kind and state.',
    labels: ['kind', 'state'],
  },
  workerRestarts: {
    name: 'srs_stack_worker_restarts_total',
    type: 'counter',
    help: 'Restarts of an FFmpeg task since it was switched on.',
    labels: ['worker', 'kind'],
  },
  alarms: { name: 'srs_stack_alarms', type: 'gauge', help: 'Conditions that need the operator.', labels: ['code'] },
  events: {
    name: 'srs_stack_events_total',
    type: 'counter',
    help: 'What happened since the control plane started.',
    labels: ['kind'],
  },
  sampleAt: {
    name: 'srs_stack_sample_timestamp_seconds',
    type: 'gauge',
    help: 'When these figures were taken, Unix time.',
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricKey = keyof typeof metricCatalogue;
