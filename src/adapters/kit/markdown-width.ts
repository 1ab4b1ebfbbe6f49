/** How many columns a text takes in a monospaced font. */

const ASCII = /^[\x20-\x7e]*$/;
const INVISIBLE = /^[\p{M}\p{Cf}\p{Emoji_Modifier}]$/u;
/** East Asian scripts and full-width forms, by Unicode block. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18dff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;
const FLAG = /^\p{Regional_Indicator}$/u;
const JOINER = '\u200d';
const EMOJI_SELECTOR = '\ufe0f';

/** CJK and emoji count 2, marks 0; joined emoji, flags and keycaps count as the one picture they are. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  let last = 0;
  let joined = false;
  for (const character of text) {
    if (character === EMOJI_SELECTOR && last === 1) {
      width += 1;
      last = 2;
    }
    if (!INVISIBLE.test(character)) {
      last = joined ? 0 : widthOf(character);
      width += last;
    }
    joined = character === JOINER;
  }
  return width;
}

function widthOf(character: string): number {
  // The two halves of a flag take one column each.
  if (FLAG.test(character)) return 1;
  return WIDE.test(character) || EMOJI.test(character) ? 2 : 1;
}
