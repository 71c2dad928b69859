// Shows a guide after the publish secret has loaded, or the error of the request.
import type { ReactNode } from 'react';
import { SectionsSkeleton } from '../../ui/sections-skeleton.tsx';
import { QueryFailure } from '../query-failure.tsx';
import { GuideContext } from './guide-context.ts';
import { StreamKeySelect } from './stream-key-select.tsx';
import type { PublishGuide } from './use-publish-guide.ts';

export function PublishGuideFrame({ publishGuide, children }: { publishGuide: PublishGuide; children: ReactNode }) {
  const { guide, status, error, retry, streamKey } = publishGuide;
  switch (status) {
    case 'loading':
      return <SectionsSkeleton count={7} open={1} />;
    case 'failed':
      return <QueryFailure error={error} onRetry={retry} />;
    case 'ready':
      return (
        <GuideContext value={guide}>
          {streamKey && <StreamKeySelect choice={streamKey} />}
          {children}
        </GuideContext>
      );
  }
}
