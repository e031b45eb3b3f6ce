import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { isTrouble } from '../node/checks.ts'
import { isDeferred, type MailFailure } from '../node/mail.ts'
import { openMail } from './index.ts'
import { relay, type Stage, stages, type Trouble } from './relay.test.fixture.ts'

const from = 'tracking@engine.example'
const message = { id: 'event-1', to: ['ann@shop.example'], subject: 'News', text: ['It is here.'] }

/** What sends to a relay: one that is silent is given up soon, and where TLS is at stake, it seems to be on another machine. */
function mailTo(port: number, { at, does }: Partial<Trouble> = {}) {
  const url = `smtp://ann:secret@127.0.0.1:${port}`
  const patience = does === 'silence' ? { greetingTimeout: 200, socketTimeout: 200 } : {}
  return openMail({ kind: 'smtp', url, from }, { patience, isHere: () => at !== 'STARTTLS' })
}

/** Whose fault it is that a relay does not take a message; nothing if it takes it. */
async function faultOf(t: Test, trouble?: Trouble, pipelining?: boolean): Promise<MailFailure['fault'] | undefined> {
  const { port } = await relay(t, trouble, pipelining)
  const mail = await mailTo(port, trouble)
  return mail.send(message).then(
    (refused) => (refused === undefined ? undefined : 'address'),
    (error: unknown) => (isDeferred(error) ? 'message' : 'server'),
  )
}

/** THE TABLE of whose fault it is, by stage and by what the relay does there: `address` alone changes what is known of it. */
const faults = {
  '451 later': { 'RCPT TO': 'message', DATA: 'message', text: 'message' },
  '550 no': { 'RCPT TO': 'address', DATA: 'message', text: 'message' },
  '421 closing': {},
  close: {},
  silence: {},
} as const satisfies Readonly<Record<Trouble['does'], Partial<Record<Stage, MailFailure['fault']>>>>

t.test(
  'given a relay that refuses, closes or falls silent at any stage, then only a lasting no to an address is the fault of it',
  async (t) => {
    const rows = Object.entries(faults).flatMap(([does, byStage]) =>
      stages.map((at) => ({
        at,
        does: does as Trouble['does'],
        fault: (byStage as Partial<Record<Stage, string>>)[at],
      })),
    )
    await Promise.all(
      rows.flatMap(({ at, does, fault = 'server' }) =>
        [false, true].map(async (pipelining) => {
          const found = await faultOf(t, { at, does }, pipelining)
          t.equal(found, fault, `${does} at ${at}${pipelining ? ', all commands at once' : ''}`)
        }),
      ),
    )
    t.equal(await faultOf(t), undefined, 'a relay without trouble takes it')
  },
)

t.test(
  'given a relay that refuses an address, then only an answer that there is no such mailbox is the fault of it',
  async (t) => {
    const answers = [
      ['450', 'message'],
      ['550', 'address'],
      ['551', 'address'],
      ['552', 'message'],
      ['553', 'address'],
      ['554', 'message'],
      ['550 5.1.1', 'address'],
      ['550 5.1.7', 'message'],
      ['550 5.1.8', 'message'],
      ['550 5.2.1', 'address'],
      ['552 5.2.2', 'message'],
      ['550 5.7.1', 'message'],
      ['554 5.1.10', 'address'],
    ] as const
    for (const [answer, fault] of answers) {
      const [code = '', enhanced = 'no'] = answer.split(' ')
      t.equal(await faultOf(t, { at: 'RCPT TO', does: `${Number(code)} ${enhanced}` }), fault, answer)
    }
  },
)

t.test('given a relay, when it is checked, then it is offered the sender and sent nothing', async (t) => {
  const { said, port } = await relay(t)
  const mail = await mailTo(port)
  t.equal(await mail.check(), `127.0.0.1:${port} takes e-mails from ${from}`)
  while (!said.includes('QUIT')) await setTimeout(5)
  t.same(
    said.map((line) => line.replace(/^(EHLO|AUTH PLAIN) .*/, '$1')),
    ['EHLO', 'AUTH PLAIN', `MAIL FROM:<${from}>`, 'QUIT'],
  )
})

t.test('given a relay that refuses at a stage, when it is checked, then it says whose fault it is', async (t) => {
  const sender = `the mail server refuses the sender ${from} with`
  const rows: readonly (readonly [Stage, Trouble['does'], problem: string, remedy: RegExp])[] = [
    ['greeting', '554 no', 'the mail server failed with 554', /wants nothing from this machine/],
    ['greeting', '421 busy', 'the mail server failed with 421', /only for now/],
    ['greeting', 'silence', 'the mail server failed with ETIMEDOUT', /is not reached/],
    ['STARTTLS', '502 no', 'the mail server offers no TLS, so that no e-mail is sent to it', /fault is in TLS/],
    ['AUTH', '535 no', 'the mail server failed with 535', /knows no such user and password/],
    ['AUTH', '454 later', 'the mail server failed with 454', /only for now/],
    ['MAIL FROM', '550 no', `${sender} 550`, /fault is in OTEP_MAIL_FROM/],
    ['MAIL FROM', '530 who', `${sender} 530`, /wants a user and a password/],
    ['MAIL FROM', '451 later', `${sender} 451`, /only for now/],
    ['MAIL FROM', '421 closing', 'the mail server failed with 421', /only for now/],
    ['MAIL FROM', 'close', 'the mail server failed with ECONNECTION', /is not reached/],
    ['MAIL FROM', 'silence', 'the mail server failed with ETIMEDOUT', /is not reached/],
  ]
  for (const [at, does, problem, remedy] of rows) {
    const { port } = await relay(t, { at, does })
    const mail = await mailTo(port, { at, does })
    const error = await mail.check().catch((error: unknown) => error)
    t.ok(isTrouble(error))
    t.match(error, { message: problem, remedy }, `${does} at ${at}`)
  }
})
