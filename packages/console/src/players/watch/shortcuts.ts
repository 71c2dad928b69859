// Keys of the watch page, as viewers know them from other sites: space or k, m, f.

/** Listens for the life of the page; keys typed into fields and buttons are theirs. */
export function listenToKeys(video: () => HTMLVideoElement | null): void {
  document.addEventListener('keydown', (event) => {
    const element = video();
    const target = event.target instanceof Element ? event.target : undefined;
    const isElsewhere = target?.closest('input, textarea, select, button, a, dialog, video') != null;
    if (!element || isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case ' ':
      case 'k':
        if (element.paused) element.play().catch(() => {});
        else element.pause();
        break;
      case 'm':
        element.muted = !element.muted;
        break;
      case 'f':
        toggleFullscreen(element);
        break;
      default:
        return;
    }
    event.preventDefault();
  });
}

function toggleFullscreen(element: HTMLVideoElement): void {
  const change = document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen?.();
  change?.catch(() => {});
}
