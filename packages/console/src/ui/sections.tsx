// Accordion with at most one open section.
import { Accordion } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './sections.module.css';

export interface SectionsProps {
  /** Value of the initially open section. */
  defaultOpen?: string;
  /** Set `open` and `onOpenChange` together if the caller controls the open section, e.g. in the URL. */
  open?: string | null;
  onOpenChange?: (value: string | null) => void;
  children: ReactNode;
}

export function Sections({ defaultOpen, open, onOpenChange, children }: SectionsProps) {
  const control = open === undefined ? { defaultValue: defaultOpen ?? null } : { value: open };
  return (
    <Accordion
      {...control}
      {...(onOpenChange ? { onChange: onOpenChange } : {})}
      variant="separated"
      order={2}
      classNames={{
        item: classes.item!,
        control: classes.control!,
        label: classes.label!,
        panel: classes.panel!,
        chevron: classes.chevron!,
      }}
    >
      {children}
    </Accordion>
  );
}

export interface SectionProps {
  value: string;
  title: ReactNode;
  summary?: ReactNode;
  icon?: ReactNode;
  badge?: ReactNode;
  children: ReactNode;
}

export function Section({ value, title, summary, icon, badge, children }: SectionProps) {
  return (
    <Accordion.Item value={value}>
      <Accordion.Control icon={icon ? <span className={classes.icon}>{icon}</span> : undefined}>
        <span className={classes.heading}>
          <span className={classes.titles}>
            <span className={classes.title}>{title}</span>
            {summary && <span className={classes.summary}>{summary}</span>}
          </span>
          {badge}
        </span>
      </Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  );
}
