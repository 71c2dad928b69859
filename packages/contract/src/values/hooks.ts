/** Events for the operator's own service. Only `on_publish` and `on_play` wait for its response. `on_ocr` is never sent. */
export const hookActions = [
  'on_publish',
  'on_unpublish',
  'on_play',
  'on_record_begin',
  'on_record_end',
  'on_ocr',
] as const;
export type HookAction = (typeof hookActions)[number];

/** `failed`: the target sent no valid response. */
export const hookOutcomes = ['accepted', 'refused', 'failed'] as const;
/** Why a target did not accept; the console has a text for each. */
export const hookProblems = [
  'timeout',
  'unreachable',
  'tls',
  'address-refused',
  'status',
  'empty',
  'not-understood',
  'code',
  'too-long',
  'busy',
] as const;
