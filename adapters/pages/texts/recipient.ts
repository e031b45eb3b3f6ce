import { copyTable } from './copy.ts'
import type { Table } from './language.ts'

/** The texts of what a recipient can do on the page of a timeline. */
export const recipientTexts = {
  help: {
    title: {
      en: 'Need help?',
      fr: 'Besoin d’aide ?',
      de: 'Brauchen Sie Hilfe?',
      es: '¿Necesita ayuda?',
      'zh-Hans': '需要帮助？',
      'zh-Hant': '需要協助？',
      ar: 'هل تحتاج إلى مساعدة؟',
    },
    link: {
      en: 'Contact {name}',
      fr: 'Contacter {name}',
      de: '{name} kontaktieren',
      es: 'Contactar con {name}',
      'zh-Hans': '联系 {name}',
      'zh-Hant': '聯絡 {name}',
      ar: 'تواصل مع {name}',
    },
  },
  share: {
    title: {
      en: 'Share this page',
      fr: 'Partager cette page',
      de: 'Diese Seite teilen',
      es: 'Compartir esta página',
      'zh-Hans': '分享此页面',
      'zh-Hant': '分享此頁面',
      ar: 'مشاركة هذه الصفحة',
    },
    label: {
      en: 'Address of the page',
      fr: 'Adresse de la page',
      de: 'Adresse der Seite',
      es: 'Dirección de la página',
      'zh-Hans': '页面地址',
      'zh-Hant': '頁面網址',
      ar: 'عنوان الصفحة',
    },
    button: {
      en: 'Share',
      fr: 'Partager',
      de: 'Teilen',
      es: 'Compartir',
      'zh-Hans': '分享',
      'zh-Hant': '分享',
      ar: 'مشاركة',
    },
    ...copyTable,
    code: {
      en: 'QR code of this page',
      fr: 'Code QR de cette page',
      de: 'QR-Code dieser Seite',
      es: 'Código QR de esta página',
      'zh-Hans': '此页面的二维码',
      'zh-Hant': '此頁面的 QR 碼',
      ar: 'رمز QR لهذه الصفحة',
    },
  },
} as const satisfies Table
