/** Orders, routes and assignments, in English. */
const en = {
  order_not_found: 'There is no order {order}.',
  order_status_forbids: '{command} is not possible while the order is {status}.',
} as const

type Words = Readonly<Record<keyof typeof en, string>>

const fr: Words = {
  order_not_found: 'La commande {order} n’existe pas.',
  order_status_forbids: '{command} est impossible tant que la commande est {status}.',
}

const de: Words = {
  order_not_found: 'Es gibt keinen Auftrag {order}.',
  order_status_forbids: '{command} ist nicht möglich, solange der Auftrag {status} ist.',
}

const es: Words = {
  order_not_found: 'No existe el pedido {order}.',
  order_status_forbids: '{command} no es posible mientras el pedido esté en {status}.',
}

const zhHans: Words = {
  order_not_found: '没有订单 {order}。',
  order_status_forbids: '订单处于 {status} 时无法执行 {command}。',
}

const zhHant: Words = {
  order_not_found: '沒有訂單 {order}。',
  order_status_forbids: '訂單處於 {status} 時無法執行 {command}。',
}

/** Orders, routes and assignments: the messages in every language. */
export const orders = { en, fr, de, es, zhHans, zhHant }
