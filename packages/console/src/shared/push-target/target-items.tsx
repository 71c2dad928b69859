// Accordion items that forward and virtual live share.
import type { PushTarget } from '@srs-stack/contract';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type WorkerFacts, workerPhase } from '../worker/worker-phase.ts';
import { TargetAccordion } from './target-accordion.tsx';

type PlatformRow = WorkerFacts & { platform: string };

/** A target in the accordion. */
export interface TargetItem<Target extends PushTarget, Row extends PlatformRow> {
  platform: string;
  /** Undefined until saved. */
  target: Target | undefined;
  row: Row | undefined;
  /** Time at which the row arrived, epoch milliseconds. */
  asOfMs: number;
  onRemove: () => void;
  isRemoving: boolean;
  /** Adds a target with copied settings; undefined at the maximum number of targets. */
  onCopy: (() => void) | undefined;
  template: Target | undefined;
}

export interface TargetItemsProps<Target extends PushTarget, Row extends PlatformRow> {
  targets: Readonly<Record<string, Target>>;
  mark: string;
  rows: UseQueryResult<Row[]>;
  remove: UseMutationResult<unknown, Error, { platform: string }>;
  introduction: { title: string; content: ReactNode };
  status: { title: string; summary: (active: number) => string; render: (onOpen: OpenTarget) => ReactNode };
  addText: string;
  actions?: ReactNode;
  renderItem: (item: TargetItem<Target, Row>) => ReactNode;
}

type OpenTarget = (platform: string) => void;

export function TargetItems<Target extends PushTarget, Row extends PlatformRow>(props: TargetItemsProps<Target, Row>) {
  const { targets, mark, rows, remove, introduction, status, addText, actions, renderItem } = props;
  const active = (rows.data ?? []).filter((row) => workerPhase(row) === 'active').length;
  const removeTarget = async (platform: string, forget: () => void) => {
    if (targets[platform]) await remove.mutateAsync({ platform });
    forget();
  };
  return (
    <TargetAccordion
      targets={targets}
      mark={mark}
      introduction={introduction}
      addText={addText}
      actions={actions}
      status={{ title: status.title, summary: status.summary(active), render: status.render }}
      renderItem={(platform, { forget, copy, from }) =>
        renderItem({
          platform,
          target: targets[platform],
          template: from === undefined ? undefined : targets[from],
          onCopy: targets[platform] && copy,
          row: rows.data?.find((row) => row.platform === platform),
          asOfMs: rows.dataUpdatedAt,
          // The mutation has already reported the error.
          onRemove: () => void removeTarget(platform, forget).catch(() => {}),
          isRemoving: remove.isPending && remove.variables?.platform === platform,
        })
      }
    />
  );
}
