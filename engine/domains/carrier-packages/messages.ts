import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  carrier_package_not_found: 'There is no carrier package {package}.',
  carrier_package_status_forbids: '{move} is not possible while the carrier package {package} is {status}.',
}

/** A code of packages of carriers. */
export type CarrierPackageCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<CarrierPackageCode, 'carrier-packages'> {}
}

const kinds: Readonly<Partial<Record<CarrierPackageCode, Kind>>> = {
  carrier_package_not_found: 'not_found',
  carrier_package_status_forbids: 'conflict',
}

type Texts = Readonly<Record<CarrierPackageCode, string>>

const fr: Texts = {
  carrier_package_not_found: 'Il n’y a pas de colis de transporteur {package}.',
  carrier_package_status_forbids: '{move} est impossible tant que le colis de transporteur {package} est {status}.',
}

const de: Texts = {
  carrier_package_not_found: 'Es gibt kein Frachtführerpaket {package}.',
  carrier_package_status_forbids: '{move} ist nicht möglich, solange das Frachtführerpaket {package} {status} ist.',
}

const es: Texts = {
  carrier_package_not_found: 'No existe el paquete de transportista {package}.',
  carrier_package_status_forbids: '{move} no es posible mientras el paquete de transportista {package} esté {status}.',
}

const zhHans: Texts = {
  carrier_package_not_found: '没有承运商包裹 {package}。',
  carrier_package_status_forbids: '承运商包裹 {package} 处于 {status} 状态时不能执行 {move}。',
}

const zhHant: Texts = {
  carrier_package_not_found: '沒有承運商包裹 {package}。',
  carrier_package_status_forbids: '承運商包裹 {package} 處於 {status} 狀態時不能執行 {move}。',
}

/** Packages of carriers. */
export const carrierPackageMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
