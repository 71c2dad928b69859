import { Button, Group, TextInput } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxTargetUrlLength } from '@srs-stack/contract/limits.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import { monoInput } from '../../../ui/mono-input.ts';
import classes from './proxy.module.css';

const consolePath = '/mgmt';
const playerPath = '/tools/player.html?url=/live/livestream.flv';

export function HomeForm({ stored }: { stored: ResponseOf<typeof calls.queryHomepage> }) {
  const { t } = useTranslation('web-front');
  const [isMissing, setIsMissing] = useState(false);
  const form = useSettingsForm({
    stored: { homepage: stored.homepage },
    revision: stored.revision,
    update: calls.updateHomepage,
    refreshes: [calls.queryHomepage],
    toRequest: ({ homepage }, revision) => ({
      homepage: homepage.trim(),
      ...(revision === undefined ? {} : { revision }),
    }),
    savedText: t('home.saved'),
  });
  const { homepage } = form.values;
  const change = (value: string) => {
    setIsMissing(false);
    form.change({ homepage: value });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(homepage.trim() === '');
    if (homepage.trim() !== '') form.save();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <TextInput
        label={t('home.path')}
        description={t('home.hint')}
        value={homepage}
        maxLength={maxTargetUrlLength}
        onChange={(event) => change(event.currentTarget.value)}
        error={isMissing ? t('home.missing') : undefined}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
      />
      <Group mt="xs" gap="xs">
        <Button variant="default" size="xs" onClick={() => change(consolePath)}>
          {t('home.console')}
        </Button>
        <Button variant="default" size="xs" onClick={() => change(playerPath)}>
          {t('home.player')}
        </Button>
      </Group>
      <SettingsFooter form={form} />
    </form>
  );
}
