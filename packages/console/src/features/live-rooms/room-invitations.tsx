// The guests of a room. Each guest has a link that expires and can be revoked.
import { Anchor, Button, Select, TextInput } from '@mantine/core';
import { maxLabelLength } from '@srs-stack/contract/limits.ts';
import { guestPage } from '@srs-stack/contract/values/live-rooms.ts';
import { IconUserPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { formatTimestamp } from '../../shared/format-time.ts';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import { useWebrtcAvailability } from '../../shared/publish-guide/use-webrtc-availability.ts';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './live-rooms.module.css';
import { type InvitationRow, type RoomRow, useInvite, useRevoke } from './queries.ts';

const lives = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
type Life = keyof typeof lives;
const lifeNames = Object.keys(lives) as Life[];

export function RoomInvitations({ row: { room, invitations } }: { row: RoomRow }) {
  const { t } = useTranslation('live-rooms');
  const { origin, isSecure } = useGuestOrigin();
  return (
    <section aria-label={t('invitations')} className={classes.invitations}>
      {!isSecure && <HttpsNote />}
      {invitations.length > 0 && (
        <ul className={classes.guests}>
          {invitations.map((each) => (
            <li key={each.id}>
              <InvitationLine uuid={room.uuid} invitation={each} link={`${origin}${guestPage}#${each.value}`} />
            </li>
          ))}
        </ul>
      )}
      <InviteForm uuid={room.uuid} />
    </section>
  );
}

/** Origin of the links for guests. `isSecure`: browsers allow cameras on this origin (HTTPS or localhost). */
function useGuestOrigin(): { origin: string; isSecure: boolean } {
  const { publish } = useWebrtcAvailability();
  if (publish.kind !== 'https-required') return { origin: location.origin, isSecure: true };
  if (publish.httpsUrl === undefined) return { origin: location.origin, isSecure: false };
  return { origin: new URL(publish.httpsUrl).origin, isSecure: true };
}

function HttpsNote() {
  const { t } = useTranslation('live-rooms');
  const toScreen = useScreenPath();
  return (
    <p className={classes.note}>
      {t('invite.https')}{' '}
      <Anchor component={Link} to={toScreen('settings', '?tab=https')} inherit>
        {t('invite.httpsLink')}
      </Anchor>
    </p>
  );
}

function InvitationLine({ uuid, invitation, link }: { uuid: string; invitation: InvitationRow; link: string }) {
  const { t } = useTranslation('live-rooms');
  const revoke = useRevoke();
  const name = invitation.name || t('invite.nameless');
  const isExpired = Date.parse(invitation.expiresAt) <= Date.now();
  const time = formatTimestamp(invitation.expiresAt);
  const onConfirm = () =>
    revoke.mutate(
      { uuid, id: invitation.id },
      { onSuccess: () => void showToast({ message: t('invite.revoked', { name }) }) },
    );
  return (
    <div className={classes.guest}>
      <CopyField
        label={t('invite.link', { name })}
        value={link}
        secret
        hint={t(isExpired ? 'invite.expired' : 'invite.until', { time })}
      />
      <ConfirmPopover dangerous text={t('invite.confirm', { name })} onConfirm={onConfirm}>
        <Button size="xs" variant="default" loading={revoke.isPending}>
          {t('invite.revoke')}
        </Button>
      </ConfirmPopover>
    </div>
  );
}

function InviteForm({ uuid }: { uuid: string }) {
  const { t } = useTranslation('live-rooms');
  const [name, setName] = useState('');
  const [life, setLife] = useState<Life>('day');
  const invite = useInvite();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(
      { uuid, name: name.trim(), hours: lives[life] },
      {
        onSuccess: (made) => {
          setName('');
          void showToast({ message: t('invite.made', { name: made.name || t('invite.nameless') }) });
        },
      },
    );
  };
  return (
    <form onSubmit={onSubmit} className={classes.invite} noValidate>
      <TextInput
        label={t('invite.name')}
        placeholder={t('invite.placeholder')}
        value={name}
        maxLength={maxLabelLength}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      <Select
        label={t('invite.life')}
        data={lifeNames.map((value) => ({ value, label: t(`life.${value}`) }))}
        value={life}
        allowDeselect={false}
        onChange={(value) => setLife((value as Life | null) ?? life)}
      />
      <Button
        type="submit"
        variant="light"
        leftSection={<IconUserPlus size={18} aria-hidden />}
        loading={invite.isPending}
      >
        {t('invite.create')}
      </Button>
      {invite.error && <InlineFailure error={invite.error} />}
    </form>
  );
}
