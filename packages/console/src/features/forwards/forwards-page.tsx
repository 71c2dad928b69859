// The Forward page: an introduction, three platforms, any number of further targets, and the status of all targets.
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { SectionsSkeleton } from '../../ui/sections-skeleton.tsx';
import { ForwardItems } from './forward-items.tsx';
import { useForwardTargets } from './queries.ts';

export default function ForwardPage() {
  const targets = useForwardTargets();
  if (targets.data) return <ForwardItems targets={targets.data} />;
  return <QueryPlaceholder query={targets} skeleton={<SectionsSkeleton count={5} open={1} />} />;
}
