import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  device_order_not_found: 'There is no device order {order}.',
  device_order_status_forbids: '{move} is not possible while the device order {order} is {status}.',
  device_exception_not_found: 'The device order {order} has no exception {exception}.',
  device_exception_settled: 'The exception {exception} of the device order {order} is settled already.',
  pickup_code_required: 'The pickup code is needed here.',
  wrong_pickup_code: 'This is not the pickup code of the device order {order}.',
  due_too_early: 'due_at is {due}, which has passed already.',
  compartment_occupied: 'The compartment {grid} of the device {device} holds the device order {order}.',
}

/** A code of device orders. */
export type DeviceOrderCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<DeviceOrderCode, 'device-orders'> {}
}

const kinds: Readonly<Partial<Record<DeviceOrderCode, Kind>>> = {
  device_order_not_found: 'not_found',
  device_order_status_forbids: 'conflict',
  device_exception_not_found: 'not_found',
  device_exception_settled: 'conflict',
  compartment_occupied: 'conflict',
}

type Texts = Readonly<Record<DeviceOrderCode, string>>

const fr: Texts = {
  device_order_not_found: 'La commande d’appareil {order} n’existe pas.',
  device_order_status_forbids: '{move} est impossible tant que la commande d’appareil {order} est {status}.',
  device_exception_not_found: 'La commande d’appareil {order} n’a pas d’anomalie {exception}.',
  device_exception_settled: 'L’anomalie {exception} de la commande d’appareil {order} est déjà réglée.',
  pickup_code_required: 'Le code de retrait est nécessaire ici.',
  wrong_pickup_code: 'Ce n’est pas le code de retrait de la commande d’appareil {order}.',
  due_too_early: 'due_at vaut {due}, ce qui est déjà passé.',
  compartment_occupied: 'Le compartiment {grid} de l’appareil {device} contient la commande d’appareil {order}.',
}

const de: Texts = {
  device_order_not_found: 'Es gibt keinen Geräteauftrag {order}.',
  device_order_status_forbids: '{move} ist nicht möglich, solange der Geräteauftrag {order} {status} ist.',
  device_exception_not_found: 'Der Geräteauftrag {order} hat keine Störung {exception}.',
  device_exception_settled: 'Die Störung {exception} des Geräteauftrags {order} ist schon erledigt.',
  pickup_code_required: 'Hier wird der Abholcode benötigt.',
  wrong_pickup_code: 'Das ist nicht der Abholcode des Geräteauftrags {order}.',
  due_too_early: 'due_at ist {due} und damit schon vorbei.',
  compartment_occupied: 'Im Fach {grid} des Geräts {device} liegt der Geräteauftrag {order}.',
}

const es: Texts = {
  device_order_not_found: 'No existe el pedido de dispositivo {order}.',
  device_order_status_forbids: '{move} no es posible mientras el pedido de dispositivo {order} esté en {status}.',
  device_exception_not_found: 'El pedido de dispositivo {order} no tiene la incidencia {exception}.',
  device_exception_settled: 'La incidencia {exception} del pedido de dispositivo {order} ya está resuelta.',
  pickup_code_required: 'Aquí se necesita el código de recogida.',
  wrong_pickup_code: 'Este no es el código de recogida del pedido de dispositivo {order}.',
  due_too_early: 'due_at es {due}, que ya ha pasado.',
  compartment_occupied: 'El compartimento {grid} del dispositivo {device} contiene el pedido de dispositivo {order}.',
}

const zhHans: Texts = {
  device_order_not_found: '没有设备订单 {order}。',
  device_order_status_forbids: '设备订单 {order} 处于 {status} 时无法执行 {move}。',
  device_exception_not_found: '设备订单 {order} 没有异常 {exception}。',
  device_exception_settled: '设备订单 {order} 的异常 {exception} 已处理。',
  pickup_code_required: '此处需要取件码。',
  wrong_pickup_code: '这不是设备订单 {order} 的取件码。',
  due_too_early: 'due_at 为 {due}，该时间已过。',
  compartment_occupied: '设备 {device} 的格口 {grid} 中有设备订单 {order}。',
}

const zhHant: Texts = {
  device_order_not_found: '沒有裝置訂單 {order}。',
  device_order_status_forbids: '裝置訂單 {order} 處於 {status} 時無法執行 {move}。',
  device_exception_not_found: '裝置訂單 {order} 沒有異常 {exception}。',
  device_exception_settled: '裝置訂單 {order} 的異常 {exception} 已處理。',
  pickup_code_required: '此處需要取件碼。',
  wrong_pickup_code: '這不是裝置訂單 {order} 的取件碼。',
  due_too_early: 'due_at 為 {due}，該時間已過。',
  compartment_occupied: '裝置 {device} 的格口 {grid} 中有裝置訂單 {order}。',
}

/** Device orders. */
export const deviceOrderMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
