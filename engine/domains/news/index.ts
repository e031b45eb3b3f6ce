import type { Domain } from '../../kernel/domain.ts'
import { newsModel } from './model.ts'
import { newsErasure, newsEventShapes } from './subscription.ts'

/** News of timelines by e-mail, for people without an account who asked for it on the tracking page. */
export const newsDomain: Domain = {
  name: 'news',
  operations: [],
  events: { news_subscription: newsEventShapes },
  readModels: [newsModel],
  erasures: [newsErasure],
}
