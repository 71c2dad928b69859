// Two invitations as a carousel, controlled by arrows, dots, keys and swipes. The carousel never advances automatically.
import { ActionIcon, Anchor } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconMessages, IconPlanet } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { projectLinks } from '../../shared/project-links.ts';
import classes from './invitation-carousel.module.css';
import { useCarousel } from './use-carousel.ts';

const slides = [
  { key: 'chatGroup', icon: IconMessages, href: projectLinks.videoTutorial, link: 'tutorial' },
  { key: 'community', icon: IconPlanet, href: projectLinks.community, link: 'join' },
] as const;

export function InvitationCarousel() {
  const { t } = useTranslation('contact');
  const { index, turn, goTo, handlers } = useCarousel(slides.length);
  return (
    <section className={classes.carousel} aria-roledescription="carousel" aria-label={t('title')} {...handlers}>
      <div className={classes.window}>
        <div className={classes.track} style={{ transform: `translateX(${index * -100}%)` }}>
          {slides.map(({ key, icon: Icon, href, link }, position) => (
            <article key={key} className={classes.slide} aria-hidden={position !== index} inert={position !== index}>
              <Icon size={52} stroke={1.3} aria-hidden />
              <h2>{t(`slide.${key}.title`)}</h2>
              <p>
                {t(`slide.${key}.text`)}{' '}
                <Anchor href={href} target="_blank" rel="noreferrer" inherit underline="always">
                  {t(`slide.${link}`)}
                </Anchor>
              </p>
            </article>
          ))}
        </div>
      </div>
      <div className={classes.controls}>
        <ActionIcon size="lg" aria-label={t('previous')} onClick={() => turn(-1)}>
          <IconChevronLeft aria-hidden />
        </ActionIcon>
        {slides.map(({ key }, position) => (
          <button
            key={key}
            type="button"
            className={classes.dot}
            aria-label={t(`slide.${key}.title`)}
            aria-current={position === index}
            onClick={() => goTo(position)}
          />
        ))}
        <ActionIcon size="lg" aria-label={t('next')} onClick={() => turn(1)}>
          <IconChevronRight aria-hidden />
        </ActionIcon>
      </div>
    </section>
  );
}
