import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  contractor_not_found: 'There is no contractor {contractor}.',
  contractor_module_off: 'The module for order assignments is not enabled for contractor {contractor}.',
  assignment_moved: 'Moved to another contractor.',
  assignment_released: 'Order {order} is no longer assigned to you.',
  assignment_order_cancelled: 'The order was cancelled.',
  assignment_order_deleted: 'The order was deleted.',
  release_on_route: 'Order {order} is on a route. Take it off the route before you release it.',
  release_not_assigned: 'Order {order} is not assigned to you.',
  release_under_way: 'Order {order} is under way with a driver and cannot be released.',
}

/** A code of orders that are assigned to contractors. */
export type AssignmentCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<AssignmentCode, 'assignments'> {}
}

const kinds: Readonly<Partial<Record<AssignmentCode, Kind>>> = {
  release_on_route: 'bad_request',
  release_not_assigned: 'bad_request',
  release_under_way: 'bad_request',
}

type Texts = Readonly<Record<AssignmentCode, string>>

const fr: Texts = {
  contractor_not_found: 'Il n’y a pas de sous-traitant {contractor}.',
  contractor_module_off: 'Le module d’attribution des commandes n’est pas activé pour le sous-traitant {contractor}.',
  assignment_moved: 'Passée à un autre sous-traitant.',
  assignment_released: 'La commande {order} ne vous est plus attribuée.',
  assignment_order_cancelled: 'La commande a été annulée.',
  assignment_order_deleted: 'La commande a été supprimée.',
  release_on_route: 'La commande {order} est sur une tournée. Retirez-la de la tournée avant de la rendre.',
  release_not_assigned: 'La commande {order} ne vous est pas attribuée.',
  release_under_way: 'La commande {order} est en cours chez un chauffeur et ne peut pas être rendue.',
}

const de: Texts = {
  contractor_not_found: 'Es gibt keinen Subunternehmer {contractor}.',
  contractor_module_off:
    'Das Modul für die Zuweisung von Aufträgen ist für den Subunternehmer {contractor} nicht eingeschaltet.',
  assignment_moved: 'An einen anderen Subunternehmer übergegangen.',
  assignment_released: 'Der Auftrag {order} ist Ihnen nicht mehr zugewiesen.',
  assignment_order_cancelled: 'Der Auftrag wurde storniert.',
  assignment_order_deleted: 'Der Auftrag wurde gelöscht.',
  release_on_route: 'Der Auftrag {order} ist auf einer Tour. Vor der Rückgabe muss er von der Tour genommen werden.',
  release_not_assigned: 'Der Auftrag {order} ist Ihnen nicht zugewiesen.',
  release_under_way: 'Der Auftrag {order} ist mit einem Fahrer unterwegs und kann nicht zurückgegeben werden.',
}

const es: Texts = {
  contractor_not_found: 'No existe el contratista {contractor}.',
  contractor_module_off: 'El módulo de asignación de pedidos no está activado para el contratista {contractor}.',
  assignment_moved: 'Pasado a otro contratista.',
  assignment_released: 'El pedido {order} ya no está asignado a usted.',
  assignment_order_cancelled: 'El pedido se canceló.',
  assignment_order_deleted: 'El pedido se eliminó.',
  release_on_route: 'El pedido {order} está en una ruta. Quítelo de la ruta antes de devolverlo.',
  release_not_assigned: 'El pedido {order} no está asignado a usted.',
  release_under_way: 'El pedido {order} está en curso con un conductor y no se puede devolver.',
}

const zhHans: Texts = {
  contractor_not_found: '没有承包商 {contractor}。',
  contractor_module_off: '承包商 {contractor} 未启用订单分配模块。',
  assignment_moved: '已转给另一承包商。',
  assignment_released: '订单 {order} 已不再分配给您。',
  assignment_order_cancelled: '订单已取消。',
  assignment_order_deleted: '订单已删除。',
  release_on_route: '订单 {order} 已在路线上。请先将其移出路线再退回。',
  release_not_assigned: '订单 {order} 未分配给您。',
  release_under_way: '订单 {order} 正由司机执行，无法退回。',
}

const zhHant: Texts = {
  contractor_not_found: '沒有承包商 {contractor}。',
  contractor_module_off: '承包商 {contractor} 未啟用訂單分配模組。',
  assignment_moved: '已轉給另一承包商。',
  assignment_released: '訂單 {order} 已不再分配給您。',
  assignment_order_cancelled: '訂單已取消。',
  assignment_order_deleted: '訂單已刪除。',
  release_on_route: '訂單 {order} 已在路線上。請先將其移出路線再退回。',
  release_not_assigned: '訂單 {order} 未分配給您。',
  release_under_way: '訂單 {order} 正由司機執行，無法退回。',
}

/** Orders that are assigned to contractors. */
export const assignmentMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
