import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  locker_delivery_not_found: 'There is no locker delivery {delivery}.',
  locker_delivery_status_forbids: '{move} is not possible while the locker delivery {delivery} is {status}.',
  locker_delivery_expired: 'The locker delivery {delivery} has expired: this was possible until {due}.',
  locker_delivery_not_due: 'The locker delivery {delivery} does not expire before {due}.',
  locker_delivery_full: 'The locker delivery {delivery} takes no more than {limit} of these.',
  expiry_too_early: 'The expiry {expiry} has to come after {earliest}.',
  wrong_locker_code: 'This is not the code ({code}) of the locker delivery {delivery}.',
  compartment_not_found: 'The locker delivery {delivery} has no compartment {compartment}.',
  doors_still_open: 'Doors of the locker delivery {delivery} are still open.',
  correction_over: 'The locker delivery {delivery} could be corrected until {until}.',
  parcels_differ: 'Each parcel of the locker delivery {delivery} is to be named once, and no other.',
}

/** A code of deliveries into the lockers of partners. */
export type LockerDeliveryCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<LockerDeliveryCode, 'partner-lockers'> {}
}

const kinds: Readonly<Partial<Record<LockerDeliveryCode, Kind>>> = {
  locker_delivery_not_found: 'not_found',
  locker_delivery_status_forbids: 'conflict',
  locker_delivery_expired: 'conflict',
  locker_delivery_not_due: 'conflict',
  locker_delivery_full: 'conflict',
  compartment_not_found: 'not_found',
  doors_still_open: 'conflict',
  correction_over: 'conflict',
}

type Texts = Readonly<Record<LockerDeliveryCode, string>>

const fr: Texts = {
  locker_delivery_not_found: 'Il n’y a pas de dépôt en casier {delivery}.',
  locker_delivery_status_forbids: '{move} est impossible tant que le dépôt en casier {delivery} est {status}.',
  locker_delivery_expired: 'Le dépôt en casier {delivery} a expiré : c’était possible jusqu’à {due}.',
  locker_delivery_not_due: 'Le dépôt en casier {delivery} n’expire pas avant {due}.',
  locker_delivery_full: 'Le dépôt en casier {delivery} n’en accepte pas plus de {limit}.',
  expiry_too_early: 'L’expiration {expiry} doit être postérieure à {earliest}.',
  wrong_locker_code: 'Ce n’est pas le code ({code}) du dépôt en casier {delivery}.',
  compartment_not_found: 'Le dépôt en casier {delivery} n’a pas de compartiment {compartment}.',
  doors_still_open: 'Des portes du dépôt en casier {delivery} sont encore ouvertes.',
  correction_over: 'Le dépôt en casier {delivery} pouvait être corrigé jusqu’à {until}.',
  parcels_differ: 'Chaque colis du dépôt en casier {delivery} doit être nommé une fois, et aucun autre.',
}

const de: Texts = {
  locker_delivery_not_found: 'Es gibt keine Schließfachzustellung {delivery}.',
  locker_delivery_status_forbids:
    '{move} ist nicht möglich, solange die Schließfachzustellung {delivery} {status} ist.',
  locker_delivery_expired: 'Die Schließfachzustellung {delivery} ist abgelaufen: Möglich war dies bis {due}.',
  locker_delivery_not_due: 'Die Schließfachzustellung {delivery} läuft nicht vor {due} ab.',
  locker_delivery_full: 'Die Schließfachzustellung {delivery} nimmt davon höchstens {limit} auf.',
  expiry_too_early: 'Der Ablauf {expiry} muss nach {earliest} liegen.',
  wrong_locker_code: 'Das ist nicht der Code ({code}) der Schließfachzustellung {delivery}.',
  compartment_not_found: 'Die Schließfachzustellung {delivery} hat kein Fach {compartment}.',
  doors_still_open: 'Türen der Schließfachzustellung {delivery} stehen noch offen.',
  correction_over: 'Die Schließfachzustellung {delivery} konnte bis {until} berichtigt werden.',
  parcels_differ: 'Jedes Paket der Schließfachzustellung {delivery} ist einmal zu nennen, und kein anderes.',
}

const es: Texts = {
  locker_delivery_not_found: 'No existe la entrega en taquilla {delivery}.',
  locker_delivery_status_forbids: '{move} no es posible mientras la entrega en taquilla {delivery} esté {status}.',
  locker_delivery_expired: 'La entrega en taquilla {delivery} ha caducado: era posible hasta {due}.',
  locker_delivery_not_due: 'La entrega en taquilla {delivery} no caduca antes de {due}.',
  locker_delivery_full: 'La entrega en taquilla {delivery} no admite más de {limit} de estos.',
  expiry_too_early: 'La caducidad {expiry} debe ser posterior a {earliest}.',
  wrong_locker_code: 'Este no es el código ({code}) de la entrega en taquilla {delivery}.',
  compartment_not_found: 'La entrega en taquilla {delivery} no tiene el compartimento {compartment}.',
  doors_still_open: 'Hay puertas de la entrega en taquilla {delivery} todavía abiertas.',
  correction_over: 'La entrega en taquilla {delivery} se podía corregir hasta {until}.',
  parcels_differ: 'Cada paquete de la entrega en taquilla {delivery} debe nombrarse una vez, y ningún otro.',
}

const zhHans: Texts = {
  locker_delivery_not_found: '没有柜机投递 {delivery}。',
  locker_delivery_status_forbids: '柜机投递 {delivery} 处于 {status} 状态时不能执行 {move}。',
  locker_delivery_expired: '柜机投递 {delivery} 已过期：截止时间为 {due}。',
  locker_delivery_not_due: '柜机投递 {delivery} 在 {due} 之前不会过期。',
  locker_delivery_full: '柜机投递 {delivery} 最多只能有 {limit} 个此类条目。',
  expiry_too_early: '过期时间 {expiry} 必须晚于 {earliest}。',
  wrong_locker_code: '这不是柜机投递 {delivery} 的代码（{code}）。',
  compartment_not_found: '柜机投递 {delivery} 没有格口 {compartment}。',
  doors_still_open: '柜机投递 {delivery} 仍有柜门未关闭。',
  correction_over: '柜机投递 {delivery} 的更正期限为 {until}。',
  parcels_differ: '柜机投递 {delivery} 的每个包裹须列出一次，且不得列出其他包裹。',
}

const zhHant: Texts = {
  locker_delivery_not_found: '沒有櫃機投遞 {delivery}。',
  locker_delivery_status_forbids: '櫃機投遞 {delivery} 處於 {status} 狀態時不能執行 {move}。',
  locker_delivery_expired: '櫃機投遞 {delivery} 已逾期：截止時間為 {due}。',
  locker_delivery_not_due: '櫃機投遞 {delivery} 在 {due} 之前不會逾期。',
  locker_delivery_full: '櫃機投遞 {delivery} 最多只能有 {limit} 個此類條目。',
  expiry_too_early: '逾期時間 {expiry} 必須晚於 {earliest}。',
  wrong_locker_code: '這不是櫃機投遞 {delivery} 的代碼（{code}）。',
  compartment_not_found: '櫃機投遞 {delivery} 沒有格口 {compartment}。',
  doors_still_open: '櫃機投遞 {delivery} 仍有櫃門未關閉。',
  correction_over: '櫃機投遞 {delivery} 的更正期限為 {until}。',
  parcels_differ: '櫃機投遞 {delivery} 的每個包裹須列出一次，且不得列出其他包裹。',
}

/** Deliveries into the lockers of partners. */
export const lockerDeliveryMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
