import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { type SmsAddress, smsFrom } from '../node/sms.ts'
import { openSms } from './index.ts'

const message = { to: '+33612345678', text: '123456 is your code' }

/** A service on this machine with the interface of Twilio, and what it was asked. */
async function service(t: Test) {
  const asked: { path: string; authorization: string; form: Record<string, string> }[] = []
  let status = 201
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '', form })
    response.writeHead(status, { 'Content-Type': 'application/json', Location: 'http://127.0.0.1:1/' })
    response.end(JSON.stringify({ code: 21211, message: `The 'To' number ${form.To} is not valid.` }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const port = (server.address() as AddressInfo).port
  const address = smsFrom({ OTEP_SMS_URL: `http://AC1:t%40ken@127.0.0.1:${port}`, OTEP_SMS_FROM: '+14165550100' })
  return { asked, answerWith: (next: number) => (status = next), sms: openSms(address as SmsAddress) }
}

t.test('given a service, when a message is sent, then it is asked as Twilio is', async (t) => {
  const { asked, sms } = await service(t)
  t.equal(await sms.send(message), undefined)
  t.strictSame(asked, [
    {
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      authorization: `Basic ${Buffer.from('AC1:t@ken').toString('base64')}`,
      form: { To: message.to, From: '+14165550100', Body: message.text },
    },
  ])
})

t.test(
  'given a service that refuses, then what lasts is told and what may pass is thrown, without the number',
  async (t) => {
    const { sms, answerWith } = await service(t)
    answerWith(400)
    t.equal(await sms.send(message), 'the SMS service failed with 400')
    for (const status of [401, 429, 500]) {
      answerWith(status)
      await t.rejects(sms.send(message), { message: `the SMS service failed with ${status}` })
    }
    answerWith(302)
    await t.rejects(sms.send(message), { message: 'the SMS service does not answer' }, 'no redirect is followed')
  },
)

t.test('given a directory, when a message is sent, then it is a file that only its owner reads', async (t) => {
  const directory = join(t.testdir(), 'texts')
  const sms = openSms({ kind: 'file', directory, from: 'OTEP' })
  await sms.send(message)
  const [file = ''] = readdirSync(directory)
  t.strictSame(JSON.parse(readFileSync(join(directory, file), 'utf8')), { from: 'OTEP', ...message })
  t.equal(statSync(join(directory, file)).mode & 0o777, 0o600)
})

t.test('given settings that are wrong, then they are refused without the token', async (t) => {
  const wrong = [
    'http://AC1:secret@sms.example',
    'https://sms.example',
    'https://AC1@sms.example',
    'nonsense:secret',
    'file:',
  ]
  for (const OTEP_SMS_URL of wrong)
    t.throws(() => smsFrom({ OTEP_SMS_URL, OTEP_SMS_FROM: 'OTEP' }), { message: /^OTEP_SMS_URL must be (?!.*secret)/ })
  t.throws(() => smsFrom({ OTEP_SMS_URL: 'file:texts' }), { message: /OTEP_SMS_FROM/ })
  t.equal(smsFrom({}), undefined)
})
