import type { Catalogue, Kind } from '../../../kernel/catalogue.ts'

const en = {
  brand_not_found: 'The business has no brand yet. Set its name first.',
  not_a_color: 'Expected a colour such as #0b5cad.',
  not_https: 'Expected an https URL without a user or password.',
  logo_type: 'The logo is no PNG, JPEG or WebP image.',
  logo_too_large: 'The logo is {width} by {height} pixels. Each side may have {limit}.',
}

/** A code of brands. */
export type BrandCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<BrandCode, 'accounts'> {}
}

const kinds: Readonly<Partial<Record<BrandCode, Kind>>> = { brand_not_found: 'not_found' }

type Texts = Readonly<Record<BrandCode, string>>

const fr: Texts = {
  brand_not_found: 'L’entreprise n’a pas encore de marque. Indiquez d’abord son nom.',
  not_a_color: 'Une couleur telle que #0b5cad est attendue.',
  not_https: 'Une URL https sans utilisateur ni mot de passe est attendue.',
  logo_type: 'Le logo n’est pas une image PNG, JPEG ou WebP.',
  logo_too_large: 'Le logo mesure {width} sur {height} pixels. Chaque côté peut en avoir {limit}.',
}

const de: Texts = {
  brand_not_found: 'Das Unternehmen hat noch keine Marke. Geben Sie zuerst ihren Namen an.',
  not_a_color: 'Erwartet wird eine Farbe wie #0b5cad.',
  not_https: 'Erwartet wird eine https-URL ohne Benutzer und Passwort.',
  logo_type: 'Das Logo ist kein PNG-, JPEG- oder WebP-Bild.',
  logo_too_large: 'Das Logo hat {width} mal {height} Pixel. Jede Seite darf {limit} haben.',
}

const es: Texts = {
  brand_not_found: 'La empresa aún no tiene marca. Indique primero su nombre.',
  not_a_color: 'Se espera un color como #0b5cad.',
  not_https: 'Se espera una URL https sin usuario ni contraseña.',
  logo_type: 'El logotipo no es una imagen PNG, JPEG o WebP.',
  logo_too_large: 'El logotipo mide {width} por {height} píxeles. Cada lado puede tener {limit}.',
}

const zhHans: Texts = {
  brand_not_found: '该企业还没有品牌。请先设置名称。',
  not_a_color: '应为 #0b5cad 这样的颜色。',
  not_https: '应为不含用户名和密码的 https URL。',
  logo_type: '标志不是 PNG、JPEG 或 WebP 图像。',
  logo_too_large: '标志为 {width} × {height} 像素。每边最多 {limit} 像素。',
}

const zhHant: Texts = {
  brand_not_found: '該企業還沒有品牌。請先設定名稱。',
  not_a_color: '應為 #0b5cad 這樣的顏色。',
  not_https: '應為不含使用者名稱和密碼的 https URL。',
  logo_type: '標誌不是 PNG、JPEG 或 WebP 圖片。',
  logo_too_large: '標誌為 {width} × {height} 像素。每邊最多 {limit} 像素。',
}

/** Brands of businesses. */
export const brandMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
