import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  uniorder_not_found: 'There is no booked shipment {uniorder}.',
  not_a_label: 'The shipment {uniorder} is delivered by the business itself and has no label of a carrier.',
  uniorder_job_not_found: 'There is no job {job}.',
}

/** A code of uniorders. */
export type UniorderCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<UniorderCode, 'uniorders'> {}
}

const kinds: Readonly<Partial<Record<UniorderCode, Kind>>> = {
  uniorder_not_found: 'not_found',
  not_a_label: 'conflict',
  uniorder_job_not_found: 'not_found',
}

type Texts = Readonly<Record<UniorderCode, string>>

const fr: Texts = {
  uniorder_not_found: 'L’envoi réservé {uniorder} n’existe pas.',
  not_a_label: 'L’entreprise livre elle-même l’envoi {uniorder}, qui n’a pas d’étiquette de transporteur.',
  uniorder_job_not_found: 'La tâche {job} n’existe pas.',
}

const de: Texts = {
  uniorder_not_found: 'Es gibt keine gebuchte Sendung {uniorder}.',
  not_a_label: 'Die Sendung {uniorder} liefert das Unternehmen selbst aus, sie hat kein Label eines Zustellers.',
  uniorder_job_not_found: 'Es gibt keinen Vorgang {job}.',
}

const es: Texts = {
  uniorder_not_found: 'No existe el envío reservado {uniorder}.',
  not_a_label: 'La propia empresa entrega el envío {uniorder}, que no tiene etiqueta de transportista.',
  uniorder_job_not_found: 'No existe la tarea {job}.',
}

const zhHans: Texts = {
  uniorder_not_found: '没有已预订的货件 {uniorder}。',
  not_a_label: '货件 {uniorder} 由企业自行派送，没有承运商的面单。',
  uniorder_job_not_found: '没有任务 {job}。',
}

const zhHant: Texts = {
  uniorder_not_found: '沒有已預訂的貨件 {uniorder}。',
  not_a_label: '貨件 {uniorder} 由企業自行派送，沒有承運商的面單。',
  uniorder_job_not_found: '沒有工作 {job}。',
}

/** Uniorders. */
export const uniorderMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
