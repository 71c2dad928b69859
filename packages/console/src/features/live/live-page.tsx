// The Live page: how to publish, beside a card that shows at once whether it works.
import { PublishGuideFrame } from '../../shared/publish-guide/publish-guide-frame.tsx';
import { usePublishGuide } from '../../shared/publish-guide/use-publish-guide.ts';
import { LiveCard } from './card/live-card.tsx';
import { LiveGuide } from './guide/live-guide.tsx';
import classes from './live-page.module.css';
import { StreamNameField } from './stream-name-field.tsx';

export default function LivePage() {
  const publishGuide = usePublishGuide();
  const { addresses, streamName } = publishGuide.guide;
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
