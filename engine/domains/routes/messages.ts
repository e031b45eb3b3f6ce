import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  delivery_route_not_found: 'There is no route {route}.',
  route_status_forbids: '{move} is not possible while the route is {status}.',
  route_has_open_orders: '{count} orders of the route are still open.',
  route_needs_driver: 'The route needs a driver for this.',
  route_without_orders: 'There are no orders on the route.',
}

/** A code of routes. */
export type RouteCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<RouteCode, 'routes'> {}
}

const kinds: Readonly<Partial<Record<RouteCode, Kind>>> = {
  delivery_route_not_found: 'not_found',
  route_status_forbids: 'conflict',
  route_has_open_orders: 'conflict',
  route_needs_driver: 'conflict',
  route_without_orders: 'conflict',
}

type Texts = Readonly<Record<RouteCode, string>>

const fr: Texts = {
  delivery_route_not_found: 'La tournée {route} n’existe pas.',
  route_status_forbids: '{move} est impossible tant que la tournée est {status}.',
  route_has_open_orders: '{count} commandes de la tournée sont encore ouvertes.',
  route_needs_driver: 'La tournée a besoin d’un chauffeur pour cela.',
  route_without_orders: 'Aucune commande n’est sur la tournée.',
}

const de: Texts = {
  delivery_route_not_found: 'Es gibt keine Tour {route}.',
  route_status_forbids: '{move} ist nicht möglich, solange die Tour {status} ist.',
  route_has_open_orders: '{count} Aufträge der Tour sind noch offen.',
  route_needs_driver: 'Die Tour braucht dafür einen Fahrer.',
  route_without_orders: 'Auf der Tour ist kein Auftrag.',
}

const es: Texts = {
  delivery_route_not_found: 'No existe la ruta {route}.',
  route_status_forbids: '{move} no es posible mientras la ruta esté en {status}.',
  route_has_open_orders: '{count} pedidos de la ruta siguen abiertos.',
  route_needs_driver: 'La ruta necesita un conductor para esto.',
  route_without_orders: 'No hay ningún pedido en la ruta.',
}

const zhHans: Texts = {
  delivery_route_not_found: '没有路线 {route}。',
  route_status_forbids: '路线处于 {status} 时无法执行 {move}。',
  route_has_open_orders: '路线上还有 {count} 个未完成的订单。',
  route_needs_driver: '此操作要求路线有司机。',
  route_without_orders: '路线上没有订单。',
}

const zhHant: Texts = {
  delivery_route_not_found: '沒有路線 {route}。',
  route_status_forbids: '路線處於 {status} 時無法執行 {move}。',
  route_has_open_orders: '路線上還有 {count} 個未完成的訂單。',
  route_needs_driver: '此操作要求路線有司機。',
  route_without_orders: '路線上沒有訂單。',
}

/** Routes. */
export const routeMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
