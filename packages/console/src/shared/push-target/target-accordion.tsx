// The accordion of forward and virtual live: item 0 is the introduction, 1 to 3 are the platforms, then the added
// targets and the button that adds one; 99 is the status table.
import { Button } from '@mantine/core';
import type { PushTarget } from '@srs-stack/contract';
import { maxPushTargets } from '@srs-stack/contract/limits.ts';
import { builtInPlatforms } from '@srs-stack/contract/values/push-targets.ts';
import { IconActivity, IconInfoCircle, IconPlus } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { Section, Sections } from '../../ui/sections.tsx';
import { addedPlatforms, defaultOpenItem, itemOfPlatform, newPlatformKey, statusItem } from './push-targets.ts';

export interface TargetAccordionProps {
  targets: Readonly<Record<string, PushTarget>>;
  /** Prefix of the keys of added targets. */
  mark: string;
  introduction: { title: string; content: ReactNode };
  /** `forget` drops a target that was added here and never saved. */
  renderItem: (platform: string, forget: () => void) => ReactNode;
  status: { title: string; summary: string; render: (onOpen: (platform: string) => void) => ReactNode };
  addText: string;
}

export function TargetAccordion({ targets, mark, introduction, renderItem, status, addText }: TargetAccordionProps) {
  const [open, setOpen] = useState<string | null>(() => defaultOpenItem(targets));
  const [drafts, setDrafts] = useState<readonly string[]>([]);
  const unsaved = drafts.filter((platform) => targets[platform] === undefined);
  const platforms = [...builtInPlatforms, ...addedPlatforms(targets), ...unsaved];
  const add = () => {
    const platform = newPlatformKey(mark, Date.now());
    setDrafts((before) => [...before, platform]);
    setOpen(platform);
  };
  const forget = (platform: string) => {
    setDrafts((before) => before.filter((key) => key !== platform));
    setOpen(statusItem);
  };
  return (
    <Sections open={open} onOpenChange={setOpen}>
      <Section value="0" title={introduction.title} icon={<IconInfoCircle aria-hidden />}>
        {introduction.content}
      </Section>
      {platforms.map((platform) => (
        <Fragment key={platform}>{renderItem(platform, () => forget(platform))}</Fragment>
      ))}
      <Button
        my="md"
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden />}
        disabled={platforms.length >= maxPushTargets}
        onClick={add}
      >
        {addText}
      </Button>
      <Section value={statusItem} title={status.title} summary={status.summary} icon={<IconActivity aria-hidden />}>
        {status.render((platform) => setOpen(itemOfPlatform(platform)))}
      </Section>
    </Sections>
  );
}
