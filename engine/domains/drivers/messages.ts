import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  driver_not_found: 'There is no driver {driver}.',
}

/** A code of drivers. */
export type DriverCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<DriverCode, 'drivers'> {}
}

const kinds: Readonly<Partial<Record<DriverCode, Kind>>> = {
  driver_not_found: 'not_found',
}

type Texts = Readonly<Record<DriverCode, string>>

const fr: Texts = {
  driver_not_found: 'Le chauffeur {driver} n’existe pas.',
}

const de: Texts = {
  driver_not_found: 'Es gibt keinen Fahrer {driver}.',
}

const es: Texts = {
  driver_not_found: 'No existe el conductor {driver}.',
}

const zhHans: Texts = {
  driver_not_found: '没有司机 {driver}。',
}

const zhHant: Texts = {
  driver_not_found: '沒有司機 {driver}。',
}

/** Drivers. */
export const driverMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
