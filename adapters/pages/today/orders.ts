import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import type { getOnTimeRate, getToday } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { barPlot } from '../signed-in/plot.ts'
import { orderStatusIn } from '../texts/order-statuses.ts'
import type { Html } from '../words.ts'
import type { TodaySetting } from './setting.ts'
import { figures, figuresOf } from './table.ts'
import type { TodayTexts } from './texts.ts'

/** The orders at this moment, as the operation returns them. */
export type Today = InferOutput<typeof getToday.output>

/** The on-time rates, as the operation returns them. */
export type OnTime = InferOutput<typeof getOnTimeRate.output>

const ordersHome = '/orders'

/** What needs somebody. Each leads to the list where it can be done. */
export function needsPart({ exceptions }: Today, approvals: number | undefined, setting: TodaySetting): Html {
  const { needs: words, number } = setting.today
  const lines = [
    ['late', exceptions.late, `${ordersHome}?late=1`],
    ['failed', exceptions.failed, `${ordersHome}?status=FAILED`],
    ['undeliverable', exceptions.undeliverable, `${ordersHome}?undeliverable=1`],
    ['unassigned', exceptions.unassigned, `${ordersHome}?unassigned=1`],
    ['reported', exceptions.reported, `${ordersHome}?reported=1`],
    ['contradicting', exceptions.contradicting, '/records/shared-number'],
    ['approvals', approvals, '/mcp-approvals'],
  ] as const
  const rows = lines.flatMap(([name, value, path]) => {
    const [title, meaning] = words[name]
    const shown = value === 0 ? number(0) : html`<strong>${number(value ?? 0)}</strong>`
    return value === undefined ? [] : [[html`<a href="${withLanguage(path, setting)}">${title}</a>`, shown, meaning]]
  })
  return html`<section aria-labelledby="needs"><h2 id="needs">${words.title}</h2>
${figures(words.title, [[words.what], [words.orders, 'number'], [words.meaning]], rows)}</section>`
}

/** Orders by status: all open ones, and those of today. */
export function ordersPart({ open, today }: Today, setting: TodaySetting): Html {
  const { orders: words, number } = setting.today
  const ids = [...new Set([...open, ...today].map((one) => one.order_status_id))].sort((one, other) => one - other)
  const rows = ids.map((id) => {
    const [opened, ofToday] = [open, today].map((list) => list.find((one) => one.order_status_id === id))
    const status = opened?.status ?? ofToday?.status ?? ''
    const path = withLanguage(`${ordersHome}?status=${status}`, setting)
    const name = html`<a href="${path}">${orderStatusIn(setting.texts.lang, status)}</a>`
    return [name, opened === undefined ? '–' : number(opened.orders), number(ofToday?.orders ?? 0)]
  })
  const sum = (list: Today['open']) => number(list.reduce((total, { orders }) => total + orders, 0))
  const columns = [[words.status], [words.open, 'number'], [words.today, 'number']] as const
  const table = figures(words.title, columns, [...rows, [words.total, sum(open), sum(today)]])
  return html`<section aria-labelledby="orders"><h2 id="orders">${words.title}</h2>
${rows.length === 0 ? html`<p class="hint">${words.none}</p>` : table}</section>`
}

/** The on-time rate of today and of the days before, with a bar for each day. */
export function onTimePart(seen: OnTime, { onTime: words, figures: label, number, percent }: TodayTexts): Html {
  const { days } = seen
  const rate = (name: string, { on_time_rate: share, on_time, delivered }: Rated) =>
    html`<div><dt>${name}</dt><dd>${share === null ? words.none : html`<strong>${percent(share)}</strong> <span class="label">${words.of({ onTime: number(on_time), delivered: number(delivered) })}</span>`}</dd></div>`
  const today = days.at(-1) ?? { on_time_rate: null, on_time: 0, delivered: 0 }
  const most = Math.max(1, ...days.map(({ delivered }) => delivered))
  const bars = days.map(({ delivered, on_time }, place) => ({
    place,
    parts: [['good', on_time] as const, ['bad', delivered - on_time] as const],
  }))
  const [first = '', last = ''] = [days[0]?.date, days.at(-1)?.date]
  const rows = days.map(({ date, delivered, on_time, on_time_rate: share }) => [
    ...[date, number(delivered), number(on_time), share === null ? '–' : percent(share)],
  ])
  const columns = [[words.day], ...[words.delivered, words.onTime, words.rate].map((one) => [one, 'number'] as const)]
  return html`<section aria-labelledby="on-time"><h2 id="on-time">${words.title}</h2>
<dl class="meta">${rate(words.today, today)}${rate(words.days({ days: days.length }), seen)}</dl>
${barPlot(bars, days.length, most, { title: words.plot, scale: words.scale({ most: number(most) }), ends: [first, last] })}
${figuresOf(label, figures(words.plot, columns as readonly (readonly [string, 'number'])[], rows))}</section>`
}

type Rated = Pick<OnTime, 'on_time_rate' | 'on_time' | 'delivered'>
