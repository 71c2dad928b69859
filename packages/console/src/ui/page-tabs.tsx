// Tabs of a page in one row, which scrolls to the current tab on phones.
import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './page-tabs.module.css';

interface PageTab<Value extends string> {
  value: Value;
  label: string;
  icon?: ReactNode;
}

export interface PageTabsProps<Value extends string> {
  label: string;
  tabs: readonly PageTab<Value>[];
  value: Value;
  onChange: (value: string | null) => void;
  children: ReactNode;
}

/** Visible width of the previous tab, pixels, which shows that there are more tabs. */
const tabsBeforePx = 24;

export function PageTabs<Value extends string>({ label, tabs, value, onChange, children }: PageTabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected tab is found in the DOM after `value` changed
  useEffect(() => {
    const row = list.current;
    const selected = row?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!row || !selected) return;
    // Scrolls now and after each change of the row's width, for example when fonts load or a phone is rotated.
    const watch = new ResizeObserver(() => {
      const inset = Number.parseFloat(getComputedStyle(row).paddingInlineStart) || 0;
      row.scrollLeft = selected.offsetLeft - inset - tabsBeforePx;
    });
    watch.observe(row);
    watch.observe(selected);
    return () => watch.disconnect();
  }, [value]);
  return (
    <Tabs value={value} onChange={onChange} keepMounted={false}>
      <Tabs.List ref={list} aria-label={label} className={classes.list!}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value} leftSection={tab.icon} className={classes.tab!}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={value} className={classes.panel!}>
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}
