// Start or end of a clip: image, editable time, and buttons that move the time by a second.
import { ActionIcon, Input } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './clip.module.css';
import { type StoryboardImage, timeOfDay } from './clip-times.ts';
import { type End, readTimeOfDay, type Span } from './clip-view.ts';
import { StreamStill } from './stream-still.tsx';

/** Milliseconds per arrow key or button. */
const stepMs = 1_000;

export interface ClipMomentProps {
  end: End;
  atMs: number;
  window: Span;
  picture: StoryboardImage | undefined;
  onChange: (atMs: number) => void;
}

export function ClipMoment({ end, atMs, window, picture, onChange }: ClipMomentProps) {
  return (
    <div className={classes.end}>
      <StreamStill picture={picture} />
      <TimeField end={end} atMs={atMs} window={window} onChange={onChange} />
    </div>
  );
}

function TimeField({ end, atMs, window, onChange }: Omit<ClipMomentProps, 'picture'>) {
  const { t } = useTranslation('clips');
  /** Typed text that is not yet applied. */
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<'malformed' | 'not-kept'>();
  const show = (text: string | undefined): void => {
    setTyped(text);
    setProblem(undefined);
  };
  const takeOver = (): void => {
    const read = typed === undefined ? atMs : readTimeOfDay(typed, atMs, window);
    if (typeof read === 'string') setProblem(read);
    else {
      show(undefined);
      if (read !== atMs) onChange(read);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const seconds = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.key === 'Enter') takeOver();
    if (seconds === undefined) return;
    event.preventDefault();
    show(undefined);
    onChange(atMs + seconds * stepMs);
  };
  return (
    <Input.Wrapper id={useId()} label={t(end)} error={problem && t(`problem.${problem}`)}>
      <div className={classes.moment}>
        <ActionIcon
          size="input-sm"
          variant="default"
          aria-label={t(`earlier.${end}`)}
          onClick={() => onChange(atMs - stepMs)}
        >
          <IconMinus size={16} aria-hidden />
        </ActionIcon>
        <Input
          className={classes.time}
          value={typed ?? timeOfDay(atMs)}
          error={problem !== undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={12}
          onChange={({ currentTarget }) => show(currentTarget.value)}
          onBlur={takeOver}
          onKeyDown={onKeyDown}
        />
        <ActionIcon
          size="input-sm"
          variant="default"
          aria-label={t(`later.${end}`)}
          onClick={() => onChange(atMs + stepMs)}
        >
          <IconPlus size={16} aria-hidden />
        </ActionIcon>
      </div>
    </Input.Wrapper>
  );
}
