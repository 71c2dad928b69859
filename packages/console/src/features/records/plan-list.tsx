// The recording plan: entries with their current and next recording, and the form for an entry.
import { ActionIcon, Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import type { PlanRow } from '@srs-stack/contract';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../shared/format-time.ts';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Item, ItemHeadline, ItemList } from '../../ui/item-list.tsx';
import { StatusBadge, type StatusState } from '../../ui/status-badge.tsx';
import { PlanForm } from './plan-form.tsx';
import { useRecordPlan, useRemovePlanEntry, useSavePlanEntry } from './queries.ts';
import classes from './record.module.css';

const badges = { running: 'live', waiting: 'good', over: 'attention', off: 'stopped' } as const satisfies Record<
  PlanRow['state'],
  StatusState
>;

export function PlanList() {
  const { t } = useTranslation('records');
  const plan = useRecordPlan();
  /** Id of the edited entry; '' for a new entry, undefined without a form. */
  const [edited, setEdited] = useState<string>();
  if (plan.isError && !plan.data) return <InlineFailure error={plan.error} />;
  if (!plan.data) return <Skeleton height="9rem" radius="md" />;
  const { entries, zone } = plan.data;
  const close = () => setEdited(undefined);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('plan.text')}
      </Text>
      {entries.length > 0 && (
        <ItemList label={t('plan.title')}>
          {entries.map((entry) =>
            entry.id === edited ? (
              <Item key={entry.id} state={entry.state}>
                <PlanForm entry={entry} zone={zone} onClose={close} />
              </Item>
            ) : (
              <PlanItem key={entry.id} entry={entry} onEdit={() => setEdited(entry.id)} />
            ),
          )}
        </ItemList>
      )}
      {edited === '' ? (
        <PlanForm zone={zone} onClose={close} />
      ) : (
        <Group>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('')}>
            {t('plan.add')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function PlanItem({ entry, onEdit }: { entry: PlanRow; onEdit: () => void }) {
  const { t } = useTranslation('records');
  const save = useSavePlanEntry();
  const remove = useRemovePlanEntry();
  const { id, title, glob, repeat, days, date, start, end, zone, enabled, state, current, next, recording } = entry;
  const fields = { title, glob, repeat, days, date, start, end, zone };
  const when = repeat === 'once' ? date : days.map((day) => t(`plan.day.${day as 1}`)).join(' ');
  const span = (window: { from: string; to: string }) =>
    `${formatTimestamp(window.from)} – ${formatTimestamp(window.to)}`;
  return (
    <Item state={state} className={classes.plan} trouble={state === 'over' ? 'attention' : undefined}>
      <div>
        <ItemHeadline name={title || glob}>
          <StatusBadge state={badges[state]}>{t(`plan.state.${state}`)}</StatusBadge>
        </ItemHeadline>
        <FactList
          facts={[
            [t('plan.streams'), glob],
            [t('plan.when'), `${when} ${start}–${end} (${zone})`],
            ...(current ? [[t('plan.current'), span(current)] as const] : []),
            ...(next ? [[t('plan.next'), span(next)] as const] : []),
            ...(recording.length > 0 ? [[t('plan.recording'), recording.join(', ')] as const] : []),
          ]}
        />
        {state === 'over' && <Text size="sm">{t('plan.overText')}</Text>}
      </div>
      <Group gap="xs" justify="flex-end">
        <Switch
          aria-label={t('plan.enabledOf', { name: title || glob })}
          checked={enabled}
          disabled={save.isPending}
          onChange={(event) => save.mutate({ id, ...fields, enabled: event.currentTarget.checked })}
        />
        <ActionIcon size="lg" aria-label={t('plan.editOf', { name: title || glob })} onClick={onEdit}>
          <IconPencil size={18} aria-hidden />
        </ActionIcon>
        <ConfirmPopover
          dangerous
          text={t('plan.removeText', { name: title || glob })}
          onConfirm={() => remove.mutate({ id })}
        >
          <ActionIcon size="lg" aria-label={t('plan.removeOf', { name: title || glob })} loading={remove.isPending}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </ConfirmPopover>
      </Group>
    </Item>
  );
}
