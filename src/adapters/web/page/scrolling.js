/** Keeps the newest message in view, unless the reader has gone up to read. */
const NEAR_PX = 60;

export const createScrolling = ({ scroller, toEnd }) => {
  let follows = true;
  const isAtEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;
  const settle = () => {
    if (follows) scroller.scrollTop = scroller.scrollHeight;
    toEnd.hidden = isAtEnd();
  };
  scroller.addEventListener(
    'scroll',
    () => {
      follows = isAtEnd();
      toEnd.hidden = follows;
    },
    { passive: true },
  );
  toEnd.addEventListener('click', () => {
    follows = true;
    scroller.scrollTo({ top: scroller.scrollHeight, behavior: 'smooth' });
  });
  new ResizeObserver(settle).observe(scroller);

  return {
    settle,
    follow: () => {
      follows = true;
    },
    /** Draws something above without moving what is being read. */
    keepPlace: (draw) => {
      const fromEnd = scroller.scrollHeight - scroller.scrollTop;
      draw();
      scroller.scrollTop = scroller.scrollHeight - fromEnd;
    },
  };
};
