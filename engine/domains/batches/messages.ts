import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  batch_not_found: 'There is no batch {batch}.',
  batch_row_withheld: 'Not created: another order of this all-or-nothing call was refused.',
}

/** A code of batches of orders. */
export type BatchCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<BatchCode, 'batches'> {}
}

const kinds: Readonly<Partial<Record<BatchCode, Kind>>> = {
  batch_not_found: 'not_found',
}

type Texts = Readonly<Record<BatchCode, string>>

const fr: Texts = {
  batch_not_found: 'Le lot {batch} n’existe pas.',
  batch_row_withheld: 'Non créée : une autre commande du lot a été refusée, et c’était tout ou rien.',
}

const de: Texts = {
  batch_not_found: 'Es gibt keinen Stapel {batch}.',
  batch_row_withheld:
    'Nicht angelegt: Ein anderer Auftrag des Stapels wurde abgelehnt, und es sollte alles oder nichts sein.',
}

const es: Texts = {
  batch_not_found: 'No existe el lote {batch}.',
  batch_row_withheld: 'No creado: otro pedido del lote fue rechazado, y debía ser todo o nada.',
}

const zhHans: Texts = {
  batch_not_found: '没有批次 {batch}。',
  batch_row_withheld: '未创建：批次中的另一个订单被拒绝，而要求全部成功或全部不做。',
}

const zhHant: Texts = {
  batch_not_found: '沒有批次 {batch}。',
  batch_row_withheld: '未建立：批次中的另一個訂單被拒絕，而要求全部成功或全部不做。',
}

/** Batches of orders. */
export const batchMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
