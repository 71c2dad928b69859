// Applies every rule to a stream; the most severe finding comes first. Pure.
import type { LiveStream } from '@srs-stack/contract';
import { arrivalRules } from './arrival-rules.ts';
import { findingKinds, type HealthFinding, severities } from './health-finding.ts';
import { mediaRules } from './media-rules.ts';
import { viewerRules } from './viewer-rules.ts';

const rules = [...arrivalRules, ...mediaRules, ...viewerRules];

export function healthFindings(stream: LiveStream): HealthFinding[] {
  return rules.flatMap((rule) => rule(stream) ?? []).sort((a, b) => gravity(a) - gravity(b));
}

/** Smaller is more severe; equal severities are ordered by `findingKinds`. */
function gravity({ severity, kind }: HealthFinding): number {
  return severities.indexOf(severity) * findingKinds.length + findingKinds.indexOf(kind);
}
