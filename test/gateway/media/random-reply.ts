/** Replies that name files in every way that could lead astray, from a seed. */

interface Places {
  readonly base: string;
  readonly home: string;
  readonly workspace: string;
}

export const createRandom = (seed: number) => {
  let state = seed;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  // The lists below are never empty.
  const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)] as Item;

  const path = ({ base, home, workspace }: Places): string => {
    const root = pick([
      workspace,
      workspace,
      workspace,
      home,
      base,
      '',
      '~',
      `${workspace}/up`,
      'file://',
      '/proc/self/cwd',
    ]);
    const steps = Array.from({ length: next(3) }, () =>
      pick(['..', '.', 'sub dir', 'up', 'workspace', '%2e%2e', 'home']),
    );
    const name = pick([
      'a.png',
      'b c.md',
      'd.txt',
      'good.png',
      'link.png',
      'secret.env',
      'photo.png',
      'config.yaml',
      'state.db',
      '.env',
      'environ',
      'gone.pdf',
    ]);
    return [root, ...steps, name].join(pick(['/', '/', '/', '//', '/./']));
  };
  const tag = (places: Places): string => {
    const named = path(places);
    const [open, close] = pick([
      ['', ''],
      ['', ''],
      ['"', '"'],
      ['`', '`'],
      ["'", "'"],
      ['**', '**'],
      ['(', ')'],
      ['"', ''],
    ] as const);
    return `${pick(['MEDIA:', 'media: ', 'MEDIA:  ', '**MEDIA:** ', '`MEDIA:`', 'xMEDIA:'])}${open}${named}${close}`;
  };
  const piece = (places: Places): string =>
    pick([
      () => tag(places),
      () => tag(places),
      () => tag(places),
      () =>
        pick([
          'text',
          '\n',
          '\n\n',
          ' and ',
          '```\n',
          '`',
          '> ',
          '"',
          '<|eos|>',
          ', ',
          '.',
          '[[as_document]]',
          '\0',
          '😀',
        ]),
    ])();
  return {
    reply: (places: Places): string =>
      Array.from({ length: 1 + next(8) }, () => piece(places)).join(pick(['', ' ', '\n'])),
  };
};
