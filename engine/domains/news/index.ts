import type { Gives, Giving } from '../../entity/domain.ts'
import { newsModel } from './model.ts'
import { askAgain, dueNews, duePutOff, eraseNewsOf, finishNews } from './subscribe.ts'
import { newsErasure, newsEventShapes } from './subscription.ts'

export type { NewsPorts } from './ports.ts'
export {
  type AskedNews,
  blindAddress,
  isMailAddress,
  type NewsRequest,
  newsRequestIn,
  sealNewsRequest,
  stopToken,
  subscriptionOf,
} from './request.ts'
export {
  askAgain,
  canHaveNews,
  confirmNews,
  dueNews,
  duePutOff,
  endNews,
  finishNews,
  subjectOfNews,
} from './subscribe.ts'
export { newsDueIn } from './subscription.ts'
export { type News, newsOf, noteTold, putOffNews } from './tell.ts'

/** What others get from here, by who needs it. */
const gives = {
  tracking: { eraseNews: eraseNewsOf },
} satisfies Gives

/** News of timelines by e-mail, for people without an account who asked for it on the tracking page. */
export const newsDomain: Giving<typeof gives> = {
  gives,
  name: 'news',
  deadlines: [
    { name: 'news of a timeline', due: dueNews, pass: finishNews },
    { name: 'news that were put off', due: duePutOff, pass: askAgain },
  ],
  operations: [],
  events: { news_subscription: newsEventShapes },
  readModels: [newsModel],
  erasures: [newsErasure],
}
