// Timeline of the rewind window: preview images, and two handles. When zoomed in, a line marks the visible part.
import { Button, RangeSlider, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './clip.module.css';
import { imagesFor, type StoryboardImage, timeOfDay } from './clip-times.ts';
import { handlesOf, isZoomOffered, lastSeconds, type Piece, type Span, type Zoom, zooms } from './clip-view.ts';
import { StreamStill } from './stream-still.tsx';
import type { ClipChoice } from './use-clip-choice.ts';

const stripImages = 8;

export interface ClipTimelineProps {
  choice: ClipChoice;
  window: Span;
  pictures: readonly StoryboardImage[];
}

export function ClipTimeline({ choice, window, pictures }: ClipTimelineProps) {
  const { t } = useTranslation('clips');
  const { piece, view, zoom } = choice;
  const timeAt = (place: number) => timeOfDay(view.sinceMs + place * 1000);
  const seconds = Math.max(1, Math.round((view.untilMs - view.sinceMs) / 1000));
  return (
    <div className={classes.timeline}>
      <Choices choice={choice} window={window} />
      <div className={classes.strip} aria-hidden>
        {imagesFor(pictures, view, stripImages).map((picture, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position in the strip identifies the element, whatever image it shows
          <StreamStill key={index} picture={picture} />
        ))}
      </div>
      <RangeSlider
        min={0}
        max={seconds}
        step={1}
        minRange={1}
        thumbSize={26}
        classNames={{ thumb: classes.thumb }}
        value={handlesOf(piece, view)}
        onChange={choice.moveHandles}
        onChangeEnd={choice.release}
        label={timeAt}
        thumbValueText={timeAt}
        thumbFromLabel={t('handleFrom')}
        thumbToLabel={t('handleTo')}
      />
      <div className={classes.scale} aria-hidden>
        <span>{timeOfDay(view.sinceMs)}</span>
        <span>{timeOfDay(view.untilMs)}</span>
      </div>
      {zoom !== 0 && <Overview window={window} view={view} piece={piece} />}
    </div>
  );
}

function Choices({ choice, window }: Pick<ClipTimelineProps, 'choice' | 'window'>) {
  const { t } = useTranslation('clips');
  return (
    <div className={classes.choices}>
      <SegmentedControl
        aria-label={t('zoom.label')}
        size="xs"
        value={String(choice.zoom)}
        onChange={(value) => choice.setZoom(Number(value) as Zoom)}
        data={zooms
          .filter((zoom) => isZoomOffered(zoom, window))
          .map((zoom) => ({ value: String(zoom), label: t(`zoom.${zoom}`) }))}
      />
      <div className={classes.lasts}>
        {lastSeconds.map((last) => (
          <Button key={last} size="xs" variant="default" onClick={() => choice.takeLast(last)}>
            {t(`last.${last}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Shows where the visible part and the clip are in the rewind window. */
function Overview({ window, view, piece }: { window: Span; view: Span; piece: Piece }) {
  const place = (fromMs: number, toMs: number) => {
    const share = (ms: number) => (100 * (ms - window.sinceMs)) / (window.untilMs - window.sinceMs);
    const left = Math.max(0, Math.min(100, share(fromMs)));
    return { left: `${left}%`, width: `${Math.max(0, Math.min(100, share(toMs)) - left)}%` };
  };
  return (
    <div className={classes.overview} aria-hidden>
      <span className={classes.overviewView} style={place(view.sinceMs, view.untilMs)} />
      <span className={classes.overviewPiece} style={place(piece[0], piece[1])} />
    </div>
  );
}
