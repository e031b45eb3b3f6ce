import type { Catalogue } from '../../kernel/catalogue.ts'

const en = {
  too_many_days: 'The range of days is too long: at most {limit} days are allowed.',
  period_and_days: 'Name either a period or a range of days, not both.',
}

/** A code of insights. */
export type InsightCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<InsightCode, 'insights'> {}
}

type Texts = Readonly<Record<InsightCode, string>>

const fr: Texts = {
  too_many_days: 'Une période compte au plus {limit} jours.',
  period_and_days: 'Indiquez soit une période, soit des jours, mais pas les deux.',
}

const de: Texts = {
  too_many_days: 'Ein Zeitraum hat höchstens {limit} Tage.',
  period_and_days: 'Entweder ein Zeitraum oder eigene Tage, nicht beides.',
}

const es: Texts = {
  too_many_days: 'Un período tiene como máximo {limit} días.',
  period_and_days: 'O un período o días propios, no ambos.',
}

const zhHans: Texts = {
  too_many_days: '时间段最多为 {limit} 天。',
  period_and_days: '只能指定时间段或具体日期，不能同时指定。',
}

const zhHant: Texts = {
  too_many_days: '時間段最多為 {limit} 天。',
  period_and_days: '只能指定時間段或具體日期，不能同時指定。',
}

/** Insights. */
export const insightMessages: Catalogue = { en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
