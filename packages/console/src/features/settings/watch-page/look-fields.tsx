import { ColorInput, Select, Textarea, TextInput } from '@mantine/core';
import { maxWatchPageNameLength, maxWatchPageTextLength } from '@srs-stack/contract/limits.ts';
import {
  accentColor,
  audienceChoices,
  type WatchPageLook,
  watchThemes,
} from '@srs-stack/contract/values/watch-page.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImageField } from './image-field.tsx';
import { fromLocalTime, toLocalTime } from './look-draft.ts';
import classes from './watch-page.module.css';

interface LookFieldsProps {
  look: WatchPageLook;
  /** This is the server's entry, which provides the values for empty fields of other entries. */
  isServer: boolean;
  onChange: (part: Partial<WatchPageLook>) => void;
}

/** Suggested colours with sufficient contrast in both themes. */
const swatches = ['#096b61', '#1d5fa8', '#6d3fb5', '#b3261e', '#a14a00', '#3d4650'];

export function LookFields({ look, isServer, onChange }: LookFieldsProps) {
  const { t } = useTranslation('watch-page');
  const inherited = t(isServer ? 'standard' : 'inherited');
  return (
    <div className={classes.fields}>
      <TextInput
        label={t('name')}
        placeholder={isServer ? t('nameOfStream') : inherited}
        value={look.name}
        maxLength={maxWatchPageNameLength}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('text')}
        placeholder={isServer ? '' : inherited}
        value={look.text}
        maxLength={maxWatchPageTextLength}
        rows={3}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        <ImageField use="picture" name={look.picture} onChange={(picture) => onChange({ picture })} />
        <ImageField use="logo" name={look.logo} onChange={(logo) => onChange({ logo })} />
      </div>
      <TextInput
        type="datetime-local"
        label={t('startsAt')}
        description={t('startsAtHint')}
        inputWrapperOrder={['label', 'input', 'description']}
        value={toLocalTime(look.startsAt)}
        onChange={(event) => onChange({ startsAt: fromLocalTime(event.currentTarget.value) })}
      />
      <div className={classes.pair}>
        <AccentField accent={look.accent} placeholder={inherited} onChange={(accent) => onChange({ accent })} />
        <Select
          label={t('theme')}
          data={[
            { value: '', label: inherited },
            ...watchThemes.map((value) => ({ value, label: t(`themes.${value}`) })),
          ]}
          value={look.theme}
          allowDeselect={false}
          onChange={(theme) => onChange({ theme: (theme as WatchPageLook['theme'] | null) ?? '' })}
        />
      </div>
      <Select
        label={t('audience')}
        data={[
          { value: '', label: inherited },
          ...audienceChoices.map((value) => ({ value, label: t(`audiences.${value}`) })),
        ]}
        value={look.audience}
        allowDeselect={false}
        onChange={(audience) => onChange({ audience: (audience as WatchPageLook['audience'] | null) ?? '' })}
      />
    </div>
  );
}

interface AccentFieldProps {
  accent: string;
  placeholder: string;
  onChange: (accent: string) => void;
}

/** Colour field that ignores incomplete values. */
function AccentField({ accent, placeholder, onChange }: AccentFieldProps) {
  const { t } = useTranslation('watch-page');
  const [typed, setTyped] = useState<string>();
  return (
    <ColorInput
      label={t('accent')}
      placeholder={placeholder}
      format="hex"
      swatches={swatches}
      swatchesPerRow={6}
      value={typed ?? accent}
      onChange={(next) => {
        setTyped(next);
        if (next === '' || accentColor.test(next)) onChange(next);
      }}
      onBlur={() => setTyped(undefined)}
      eyeDropperButtonProps={{ 'aria-label': t('eyeDropper') }}
    />
  );
}
