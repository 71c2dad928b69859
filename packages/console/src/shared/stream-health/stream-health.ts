// Applies all rules to a stream and sorts the findings by severity. Pure.
import type { LiveStream } from '@srs-stack/contract';
import { arrivalRules } from './arrival-rules.ts';
import { findingKinds, type HealthFinding, severities } from './health-finding.ts';
import { mediaRules } from './media-rules.ts';
import { viewerRules } from './viewer-rules.ts';

const rules = [...arrivalRules, ...mediaRules, ...viewerRules];

export function healthFindings(stream: LiveStream): HealthFinding[] {
  return rules.flatMap((rule) => rule(stream) ?? []).sort((a, b) => gravity(a) - gravity(b));
}

/** Sort order: severity, then position in `findingKinds`. Smaller values are more severe. */
function gravity({ severity, kind }: HealthFinding): number {
  return severities.indexOf(severity) * findingKinds.length + findingKinds.indexOf(kind);
}
