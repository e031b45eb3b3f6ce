/** Device orders, in English. */
const en = {
  device_order_not_found: 'There is no device order {order}.',
} as const

type Words = Readonly<Record<keyof typeof en, string>>

const fr: Words = {
  device_order_not_found: 'La commande d’appareil {order} n’existe pas.',
}

const de: Words = {
  device_order_not_found: 'Es gibt keinen Geräteauftrag {order}.',
}

const es: Words = {
  device_order_not_found: 'No existe el pedido de dispositivo {order}.',
}

const zhHans: Words = {
  device_order_not_found: '没有设备订单 {order}。',
}

const zhHant: Words = {
  device_order_not_found: '沒有裝置訂單 {order}。',
}

/** Device orders: the messages in every language. */
export const devices = { en, fr, de, es, zhHans, zhHant }
