// The Live page: instructions for publishing, beside a card with the current state of the stream.
import { PublishGuideFrame } from '../../shared/publish-guide/publish-guide-frame.tsx';
import { useAddresses } from '../../shared/publish-guide/use-addresses.ts';
import { usePublishGuide } from '../../shared/publish-guide/use-publish-guide.ts';
import { LiveCard } from './card/live-card.tsx';
import { LiveGuide } from './guide/live-guide.tsx';
import classes from './live-page.module.css';
import { StreamNameField } from './stream-name-field.tsx';

export default function LivePage() {
  const publishGuide = usePublishGuide();
  const { streamName } = publishGuide.guide;
  // Without the query of a signed link: the operator's player needs no link and must not restart when the link changes.
  const addresses = useAddresses(streamName.name, '');
  return (
    <div className={classes.page}>
      <div className={classes.side}>
        <StreamNameField streamName={streamName} />
        <LiveCard streamName={streamName.name} addresses={addresses} onChoose={streamName.change} />
      </div>
      <div className={classes.guide}>
        <PublishGuideFrame publishGuide={publishGuide}>
          <LiveGuide />
        </PublishGuideFrame>
      </div>
    </div>
  );
}
