import { TextInput } from '@mantine/core';
import { defaultApp, defaultStreamName } from '@srs-stack/contract/constants.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '@srs-stack/contract/stream-pattern.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../../ui/copy-field.tsx';
import { monoInput } from '../../../ui/mono-input.ts';
import { embedCodes } from './embed-code-texts.ts';
import classes from './watch-page.module.css';

export function EmbedCodes() {
  const { t } = useTranslation('watch-page');
  const [stream, setStream] = useState(`${defaultApp}/${defaultStreamName}`);
  const isStream = isValidStreamPattern(stream) && !stream.includes('*');
  const codes = isStream ? embedCodes(stream, location.origin) : [];
  return (
    <div className={classes.codes}>
      <TextInput
        label={t('embed.stream')}
        value={stream}
        maxLength={maxStreamPatternLength}
        onChange={(event) => setStream(event.currentTarget.value.trim())}
        error={isStream ? undefined : t('embed.streamWrong')}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
      />
      {codes.map(({ kind, text }) => (
        <CopyField key={kind} label={t(`embed.${kind}`)} value={text} />
      ))}
    </div>
  );
}
