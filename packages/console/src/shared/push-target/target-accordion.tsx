// Accordion of forward and virtual live: introduction (item 0), platforms (1 to 3), added targets, status table (99).
import { Button, Group } from '@mantine/core';
import type { PushTarget } from '@srs-stack/contract';
import { maxPushTargets } from '@srs-stack/contract/limits.ts';
import { builtInPlatforms } from '@srs-stack/contract/values/push-targets.ts';
import { IconActivity, IconInfoCircle, IconPlus } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { Section, Sections } from '../../ui/sections.tsx';
import { addedPlatforms, defaultOpenItem, itemOfPlatform, newPlatformKey, statusItem } from './push-targets.ts';

export interface TargetAccordionProps {
  targets: Readonly<Record<string, PushTarget>>;
  mark: string;
  introduction: { title: string; content: ReactNode };
  renderItem: (platform: string, acts: TargetActs) => ReactNode;
  status: { title: string; summary: string; render: (onOpen: (platform: string) => void) => ReactNode };
  addText: string;
  actions?: ReactNode;
}

interface TargetActs {
  /** Removes the unsaved target, if any, and opens the status table. */
  forget: () => void;
  /** Adds a target with copied settings; undefined at the maximum number of targets. */
  copy: (() => void) | undefined;
  /** Key of the target to copy; undefined for an empty target. */
  from: string | undefined;
}

/** An added target that is not saved yet. */
interface Draft {
  platform: string;
  from: string | undefined;
}

export function TargetAccordion(props: TargetAccordionProps) {
  const { targets, mark, introduction, renderItem, status, addText, actions } = props;
  const [open, setOpen] = useState<string | null>(() => defaultOpenItem(targets));
  const [drafts, setDrafts] = useState<readonly Draft[]>([]);
  const unsaved = drafts.map(({ platform }) => platform).filter((platform) => targets[platform] === undefined);
  const platforms = [...builtInPlatforms, ...addedPlatforms(targets), ...unsaved];
  const hasRoom = platforms.length < maxPushTargets;
  const add = (from?: string) => {
    const platform = newPlatformKey(mark, Date.now());
    setDrafts((before) => [...before, { platform, from }]);
    setOpen(platform);
  };
  const forget = (platform: string) => {
    setDrafts((before) => before.filter((draft) => draft.platform !== platform));
    setOpen(statusItem);
  };
  return (
    <Sections open={open} onOpenChange={setOpen}>
      <Section value="0" title={introduction.title} icon={<IconInfoCircle aria-hidden />}>
        {introduction.content}
      </Section>
      {platforms.map((platform) => (
        <Fragment key={platform}>
          {renderItem(platform, {
            forget: () => forget(platform),
            copy: hasRoom ? () => add(platform) : undefined,
            from: drafts.find((draft) => draft.platform === platform)?.from,
          })}
        </Fragment>
      ))}
      <Group my="md" gap="sm">
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={!hasRoom}
          onClick={() => add()}
        >
          {addText}
        </Button>
        {actions}
      </Group>
      <Section value={statusItem} title={status.title} summary={status.summary} icon={<IconActivity aria-hidden />}>
        {status.render((platform) => setOpen(itemOfPlatform(platform)))}
      </Section>
    </Sections>
  );
}
