import { storageKeys } from '@srs-stack/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => {
  startFakeServer();
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
});

const openCarousel = async () => {
  await renderApp('/zh/routers-contact');
  return screen.findByRole('region', { name: '联系我们' });
};
const shownSlide = (carousel: HTMLElement) => within(carousel).getByRole('heading').textContent;

test('Chinese: two slides that wrap by arrow, key and dot', async () => {
  const carousel = await openCarousel();
  expect(shownSlide(carousel)).toBe('加入微信群');
  await userEvent.click(within(carousel).getByRole('button', { name: '上一张' }));
  expect(shownSlide(carousel)).toBe('加入知识星球');
  await userEvent.keyboard('{ArrowRight}');
  expect(shownSlide(carousel)).toBe('加入微信群');
  await userEvent.click(within(carousel).getByRole('button', { name: '加入知识星球' }));
  expect(shownSlide(carousel)).toBe('加入知识星球');
});

test('Chinese: the carousel never advances by itself, and the first caption links to the tutorial', async () => {
  // Timers are faked before the page opens, so that the timers of the page are fake too.
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const carousel = await openCarousel();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(shownSlide(carousel)).toBe('加入微信群');
  expect(within(carousel).getByRole('link', { name: '观看视频教程' })).toBeTruthy();
});

test('Chinese: the community slide has its link too', async () => {
  const carousel = await openCarousel();
  await userEvent.click(within(carousel).getByRole('button', { name: '加入知识星球' }));
  const link = within(carousel).getByRole('link', { name: '查看加入方法' });
  expect(link.getAttribute('href')).toMatch(/^https:/);
});

test('Chinese: a swipe of more than 40 px changes the slide, a shorter one does not', async () => {
  const carousel = await openCarousel();
  const swipe = (from: number, to: number) => {
    fireEvent.touchStart(carousel, { touches: [{ clientX: from }] });
    fireEvent.touchEnd(carousel, { changedTouches: [{ clientX: to }] });
  };
  swipe(200, 160);
  expect(shownSlide(carousel)).toBe('加入微信群');
  swipe(200, 159);
  expect(shownSlide(carousel)).toBe('加入知识星球');
});

test('other languages: chat, social network and source code', async () => {
  await renderApp('/en/routers-contact', 'en');
  for (const name of [/Discord/, /Twitter/, /GitHub/]) expect(await screen.findByRole('link', { name })).toBeTruthy();
});
