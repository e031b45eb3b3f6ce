import { call, confirmNews, newsRequestIn, otepIngest, sealNewsRequest } from '../../../../engine/index.ts'
import { openMail } from '../../../mail/index.ts'
import { errorLog } from '../../../node/log.ts'
import { newsMails } from '../../../policies/news-mails.ts'
import { newsMailOf } from './mails.ts'
import { openPost, report } from './post.test.fixture.ts'

/** Somebody gets news of a parcel, and the process ends by a kill between the e-mail and the record of it. */
const [directory = ''] = process.argv.slice(2)
const { parts, context } = await openPost(directory)
await call(otepIngest, context, report('in_transit'))
const asked = {
  timeline: 'tracking-tracking_number:SR1',
  number: 'SR1',
  language: 'en',
  email: 'jo@home.example',
} as const
const request = newsRequestIn(context, sealNewsRequest(context, asked))
if (request === undefined) throw new Error('The link is not valid.')
await confirmNews(context, request)
await call(otepIngest, context, report('delivered'))
const mail = await openMail({ kind: 'file', directory: `${directory}/mails`, from: 'a@b.example' })
const [policy] = newsMails(
  parts,
  {
    ...mail,
    send: async (message) => {
      await mail.send(message)
      process.kill(process.pid, 'SIGKILL')
      return undefined
    },
  },
  newsMailOf,
  errorLog,
)
const { signal } = new AbortController()
for await (const event of parts.store.readAll(undefined, policy.filter)) await policy.handle(event, signal)
