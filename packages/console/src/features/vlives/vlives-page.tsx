// The Virtual live page, where an uploaded file, a server file or a remote stream becomes a live stream on other platforms.
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { SectionsSkeleton } from '../../ui/sections-skeleton.tsx';
import { useVliveTargets } from './queries.ts';
import { VliveItems } from './vlive-items.tsx';

export default function VlivePage() {
  const targets = useVliveTargets();
  if (targets.data) return <VliveItems targets={targets.data} />;
  return <QueryPlaceholder query={targets} skeleton={<SectionsSkeleton count={5} open={1} />} />;
}
