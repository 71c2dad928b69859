// Buttons to start, stop, save, copy and delete a target. A click on start, stop or save disables these buttons for three seconds.
import { Button } from '@mantine/core';
import { IconCopy, IconDeviceFloppy, IconPlayerPlayFilled, IconPlayerStopFilled, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import classes from './push-target.module.css';
import type { SaveWay } from './use-target-form.ts';

export interface TargetButtonsProps {
  form: { enabled: boolean; isLocked: boolean; pending: SaveWay | undefined; submit: (way: SaveWay) => Promise<void> };
  /** Labels, e.g. "Start forwarding". */
  startText: string;
  stopText: string;
  onCopy?: (() => void) | undefined;
  /** Deletes the target after a confirmation, which shows the text `consequence`. */
  remove?: { consequence: string; onConfirm: () => void; isPending: boolean };
}

export function TargetButtons({ form, startText, stopText, onCopy, remove }: TargetButtonsProps) {
  const { t } = useTranslation(['common', 'push-target']);
  const { enabled, isLocked, pending, submit } = form;
  const busy = isLocked || pending !== undefined;
  return (
    <div className={classes.buttons}>
      {enabled ? (
        <Button
          variant="default"
          disabled={busy}
          loading={pending === 'stop'}
          leftSection={<IconPlayerStopFilled size={16} aria-hidden />}
          onClick={() => void submit('stop')}
        >
          {stopText}
        </Button>
      ) : (
        <Button
          disabled={busy}
          loading={pending === 'start'}
          leftSection={<IconPlayerPlayFilled size={16} aria-hidden />}
          data-saves
          onClick={() => void submit('start')}
        >
          {startText}
        </Button>
      )}
      <Button
        variant="default"
        disabled={busy}
        loading={pending === 'save'}
        leftSection={<IconDeviceFloppy size={18} aria-hidden />}
        data-saves
        onClick={() => void submit('save')}
      >
        {t(enabled ? 'push-target:saveAndRestart' : 'save')}
      </Button>
      {onCopy && (
        <Button variant="subtle" leftSection={<IconCopy size={18} aria-hidden />} onClick={onCopy}>
          {t('push-target:copy')}
        </Button>
      )}
      {remove && (
        <ConfirmPopover dangerous text={remove.consequence} onConfirm={remove.onConfirm}>
          <Button
            className={classes.remove!}
            variant="subtle"
            color="amber"
            loading={remove.isPending}
            leftSection={<IconTrash size={18} aria-hidden />}
          >
            {t('push-target:remove')}
          </Button>
        </ConfirmPopover>
      )}
    </div>
  );
}
