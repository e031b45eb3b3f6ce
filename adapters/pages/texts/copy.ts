/** The words of a button that copies, in every language of the pages for recipients. */
export const copyTable = {
  copy: {
    en: 'Copy',
    fr: 'Copier',
    de: 'Kopieren',
    es: 'Copiar',
    'zh-Hans': '复制',
    'zh-Hant': '複製',
    ar: 'نسخ',
  },
  copied: {
    en: 'Copied',
    fr: 'Copié',
    de: 'Kopiert',
    es: 'Copiado',
    'zh-Hans': '已复制',
    'zh-Hant': '已複製',
    ar: 'تم النسخ',
  },
} as const
