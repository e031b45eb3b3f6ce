import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  third_party_assignment_not_found: 'There is no assignment {assignment}.',
  third_party_status_forbids: '{move} is not possible while the assignment {assignment} is {status}.',
  third_party_order_taken: 'The order {order} has the assignment {assignment} already, which is {status}.',
  third_party_same_provider: 'The assignment is with the provider {name} already.',
  third_party_package_unknown: 'The assignment {assignment} has no package {number}.',
  third_party_package_settled: 'The package {number} was reported as {outcome} already.',
  third_party_leg_taken: '{name} is on a leg already.',
}

/** A code of orders that another provider delivers. */
export type ThirdPartyCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ThirdPartyCode, 'third-party-deliveries'> {}
}

const kinds: Readonly<Partial<Record<ThirdPartyCode, Kind>>> = {
  third_party_assignment_not_found: 'not_found',
  third_party_status_forbids: 'conflict',
  third_party_order_taken: 'conflict',
  third_party_same_provider: 'conflict',
  third_party_package_unknown: 'invalid',
  third_party_package_settled: 'conflict',
  third_party_leg_taken: 'conflict',
}

type Texts = Readonly<Record<ThirdPartyCode, string>>

const fr: Texts = {
  third_party_assignment_not_found: 'Il n’y a pas d’attribution {assignment}.',
  third_party_status_forbids: '{move} est impossible tant que l’attribution {assignment} est {status}.',
  third_party_order_taken: 'La commande {order} a déjà l’attribution {assignment}, qui est {status}.',
  third_party_same_provider: 'L’attribution est déjà chez le prestataire {name}.',
  third_party_package_unknown: 'L’attribution {assignment} n’a pas de colis {number}.',
  third_party_package_settled: 'Le colis {number} a déjà été signalé comme {outcome}.',
  third_party_leg_taken: '{name} est déjà sur un trajet.',
}

const de: Texts = {
  third_party_assignment_not_found: 'Es gibt keine Zuweisung {assignment}.',
  third_party_status_forbids: '{move} ist nicht möglich, solange die Zuweisung {assignment} {status} ist.',
  third_party_order_taken: 'Der Auftrag {order} hat schon die Zuweisung {assignment}; sie ist {status}.',
  third_party_same_provider: 'Die Zuweisung ist schon bei dem Anbieter {name}.',
  third_party_package_unknown: 'Die Zuweisung {assignment} hat kein Paket {number}.',
  third_party_package_settled: 'Das Paket {number} wurde schon als {outcome} gemeldet.',
  third_party_leg_taken: '{name} ist schon auf einer Teilstrecke.',
}

const es: Texts = {
  third_party_assignment_not_found: 'No existe la asignación {assignment}.',
  third_party_status_forbids: '{move} no es posible mientras la asignación {assignment} esté {status}.',
  third_party_order_taken: 'El pedido {order} ya tiene la asignación {assignment}, que está {status}.',
  third_party_same_provider: 'La asignación ya está con el proveedor {name}.',
  third_party_package_unknown: 'La asignación {assignment} no tiene el paquete {number}.',
  third_party_package_settled: 'El paquete {number} ya se comunicó como {outcome}.',
  third_party_leg_taken: '{name} ya está en un tramo.',
}

const zhHans: Texts = {
  third_party_assignment_not_found: '没有分派 {assignment}。',
  third_party_status_forbids: '分派 {assignment} 处于 {status} 状态时不能执行 {move}。',
  third_party_order_taken: '订单 {order} 已有分派 {assignment}，其状态为 {status}。',
  third_party_same_provider: '该分派已属于服务商 {name}。',
  third_party_package_unknown: '分派 {assignment} 没有包裹 {number}。',
  third_party_package_settled: '包裹 {number} 已报告为 {outcome}。',
  third_party_leg_taken: '{name} 已在某个运段上。',
}

const zhHant: Texts = {
  third_party_assignment_not_found: '沒有分派 {assignment}。',
  third_party_status_forbids: '分派 {assignment} 處於 {status} 狀態時不能執行 {move}。',
  third_party_order_taken: '訂單 {order} 已有分派 {assignment}，其狀態為 {status}。',
  third_party_same_provider: '該分派已屬於服務商 {name}。',
  third_party_package_unknown: '分派 {assignment} 沒有包裹 {number}。',
  third_party_package_settled: '包裹 {number} 已回報為 {outcome}。',
  third_party_leg_taken: '{name} 已在某個運段上。',
}

/** Orders that another provider delivers. */
export const thirdPartyMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
