// Ways to contact the project: a carousel of invitations or a list of channels, depending on the language.
import { useTranslation } from 'react-i18next';
import type { Locale } from '../../i18n/languages.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { ChannelList } from './channel-list.tsx';
import { InvitationCarousel } from './invitation-carousel.tsx';

const layouts: Partial<Record<Locale, typeof ChannelList>> = { zh: InvitationCarousel };

export default function ContactPage() {
  const { t } = useTranslation('contact');
  const Layout = layouts[useLocale()] ?? ChannelList;
  return (
    <>
      <PageTitle title={t('title')}>{t('text')}</PageTitle>
      <Layout />
    </>
  );
}
