// Inserts the player of a stream after this script:
//   <script src="https://live.example/watch/embed.js" data-stream="live/show" async></script>
// `data-query` is added to the address of the page, for example a signed link. See docs/how-to/use-the-watch-page.md.
(() => {
  const script =
    document.currentScript ?? [...document.querySelectorAll('script[data-stream][src*="/watch/embed.js"]')].at(-1);
  const stream = script?.dataset.stream;
  if (!stream) return;
  const path = stream.split('/').map(encodeURIComponent).join('/');
  const page = new URL(path, new URL('.', script.src));
  page.search = script.dataset.query ?? '';
  page.searchParams.set('embed', '1');
  const frame = document.createElement('iframe');
  frame.src = page.href;
  frame.title = script.dataset.title ?? stream;
  frame.allow = 'autoplay; fullscreen; picture-in-picture';
  frame.style.cssText = 'width:100%;aspect-ratio:16/9;border:0';
  window.addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow || data?.srsStack !== 'state') return;
    frame.dispatchEvent(new CustomEvent('srs-stack-state', { detail: data, bubbles: true }));
  });
  script.after(frame);
})();
