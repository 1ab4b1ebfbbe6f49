/** The few words that are said in place of what cannot be said, by language. */

export interface Phrases {
  readonly link: string;
  readonly yes: string;
  readonly no: string;
  readonly done: string;
  readonly open: string;
  readonly code: string;
  readonly rest: string;
}

const english: Phrases = {
  link: 'a link',
  yes: 'yes',
  no: 'no',
  done: 'done',
  open: 'still to do',
  code: 'The code is in the message.',
  rest: 'The rest is in the message.',
};

const all: Readonly<Record<string, Phrases>> = {
  en: english,
  de: {
    link: 'ein Link',
    yes: 'ja',
    no: 'nein',
    done: 'erledigt',
    open: 'noch offen',
    code: 'Der Code steht in der Nachricht.',
    rest: 'Der Rest steht in der Nachricht.',
  },
  fr: {
    link: 'un lien',
    yes: 'oui',
    no: 'non',
    done: 'fait',
    open: 'à faire',
    code: 'Le code est dans le message.',
    rest: 'La suite est dans le message.',
  },
  es: {
    link: 'un enlace',
    yes: 'sí',
    no: 'no',
    done: 'hecho',
    open: 'pendiente',
    code: 'El código está en el mensaje.',
    rest: 'El resto está en el mensaje.',
  },
  zh: {
    link: '一个链接',
    yes: '是',
    no: '否',
    done: '已完成',
    open: '未完成',
    code: '代码在消息里。',
    rest: '其余内容在消息里。',
  },
};

/** English where a language has none. */
export const phrasesOf = (language: string): Phrases => all[language] ?? english;
