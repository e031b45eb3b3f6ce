/** Lockers of partners, third-party deliveries, handoffs and the route board, in English. */
const en = {
  locker_delivery_not_found: 'There is no locker delivery {delivery}.',
}

type Words = Readonly<Record<keyof typeof en, string>>

const fr: Words = {
  locker_delivery_not_found: 'Il n’y a pas de dépôt en casier {delivery}.',
}

const de: Words = {
  locker_delivery_not_found: 'Es gibt keine Schließfachzustellung {delivery}.',
}

const es: Words = {
  locker_delivery_not_found: 'No existe la entrega en taquilla {delivery}.',
}

const zhHans: Words = {
  locker_delivery_not_found: '没有柜机投递 {delivery}。',
}

const zhHant: Words = {
  locker_delivery_not_found: '沒有櫃機投遞 {delivery}。',
}

/** Lockers of partners, third-party deliveries, handoffs and the route board: the messages in every language. */
export const partners = { en, fr, de, es, zhHans, zhHant }
