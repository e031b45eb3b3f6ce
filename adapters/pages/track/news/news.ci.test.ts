import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { endNews } from '../../../../engine/index.ts'
import { openMail } from '../../../mail/index.ts'
import { errorLog } from '../../../node/log.ts'
import { newsMails } from '../../../policies/news-mails.ts'
import { newsMailOf } from './mails.ts'
import { openPost } from './post.test.fixture.ts'

t.test(
  'given a process that is killed after an e-mail and before its record, when the next one goes on, then the same e-mail is sent once more and recorded',
  async (t) => {
    const directory = t.testdir({})
    const child = spawn(process.execPath, [join(import.meta.dirname, 'ends.test.child.js'), directory], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [, killedBy] = await once(child, 'exit')
    t.equal(killedBy, 'SIGKILL')
    const mails = () =>
      readdirSync(join(directory, 'mails')).map((name) => readFileSync(join(directory, 'mails', name), 'utf8'))
    t.equal(mails().length, 1)
    const { parts, store, context } = await openPost(directory)
    const mail = await openMail({ kind: 'file', directory: join(directory, 'mails'), from: 'a@b.example' })
    const [policy] = newsMails(parts, mail, newsMailOf, errorLog)
    const { signal } = new AbortController()
    for (let round = 0; round < 2; round++)
      for await (const event of store.readAll(undefined, policy.filter)) await policy.handle(event, signal)
    t.equal(mails().length, 2)
    const ids = new Set(mails().map((text) => /^Message-ID: (.*)$/m.exec(text)?.[1]))
    t.equal(ids.size, 1, 'mail programs know it as the same')
    for (const text of mails()) {
      t.match(text, /^List-Unsubscribe:\s+<http:\/\/\S+\/track-stop\//m)
      t.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
      t.match(text, /^Content-Type: multipart\/alternative/m)
    }
    const raw = () =>
      readdirSync(directory)
        .filter((name) => name.startsWith('otep.db') || name.startsWith('models.db'))
        .map((name) => readFileSync(join(directory, name)).toString('latin1'))
        .join('')
    t.notMatch(raw(), /home\.example/, 'the address is nowhere in the files of the store')
    let stream = ''
    for await (const event of store.readAll(undefined, { category: 'news_subscription' })) stream = event.stream
    const keyOf = () => store.keys.read(stream)
    t.ok(await keyOf())
    await endNews(context, Number(stream.split('-')[1]), 'unsubscribed')
    t.notOk(await keyOf(), 'and its key is gone')
    await parts.webhooks.close()
    await parts.models.close()
    await store.close()
  },
)
