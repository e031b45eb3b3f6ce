import { createPorts } from '../domains/ports.ts'
import type { Context } from '../kernel/context.ts'
import type { Append } from '../kernel/event-store.ts'
import { sha256 } from '../kernel/id.ts'
import type { WalletMove } from '../kernel/payable.ts'
import { toNewEvent } from '../store/to-new-event.ts'

const real = createPorts([])
const orderExists = async () => true
const timelineOf = async () => undefined

/** The parts of a context that are asked outside, for tests in which nobody signs in: quick, and the same every time. */
export const outside: Pick<
  Context,
  | 'carriers'
  | 'paymentProviders'
  | 'pause'
  | 'credentials'
  | 'directory'
  | 'files'
  | 'messenger'
  | 'ports'
  | 'printer'
  | 'publicView'
  | 'server'
  | 'singleSignOn'
  | 'webhooks'
> = {
  carriers: { installed: [], ask: async () => ({ kind: 'failed', failure: 'broken' }) },
  paymentProviders: { installed: [], begin: async () => undefined, receive: async () => undefined },
  printer: {
    print: nothingPrinted,
    place: nothingPrinted,
    printManifest: nothingPrinted,
    printStatement: nothingPrinted,
    printCustoms: nothingPrinted,
  },
  messenger: { sendsMail: false, sendsSms: false, admit: () => true, post: () => {} },
  pause: async () => {},
  credentials: {
    blind: (text) => sha256(`blind ${text}`),
    sign: (text) => sha256(`sign ${text}`),
    isSigned: (text, signature) => sha256(`sign ${text}`) === signature,
    seal: (text) => `${Buffer.from(text).toString('base64url')}.${sha256(`seal ${text}`)}`,
    unseal: (sealed) => {
      const text = Buffer.from(sealed.split('.')[0] ?? '', 'base64url').toString()
      return sealed.endsWith(`.${sha256(`seal ${text}`)}`) ? text : undefined
    },
    guess: (_, _source, isRight) => isRight,
    weakness: async () => undefined,
    hash: async (password) => sha256(password),
    matches: async (password, hash) => sha256(password) === hash,
    identify: async () => {
      throw new Error('Nobody signs in here.')
    },
    token: () => sha256('token'),
    attempts: { attempt: (_, _source, check) => check(undefined), countTry: async () => {} },
    authenticators: {
      create: async () => ({ secret: 'SECRET', uri: 'otpauth://totp/SECRET' }),
      stepOf: async () => undefined,
    },
  },
  files: {
    keep: async () => true,
    read: async () => undefined,
    remove: async () => {},
    list: async function* () {},
  },
  directory: {
    person: async () => undefined,
    people: async () => [],
    business: async () => undefined,
    serves: async () => true,
  },
  ports: {
    ...real,
    deviceOrders: { ...real.deviceOrders, orderExists, timelineOf },
    handoffs: { orderExists },
    insights: { ...real.insights, timelineOf },
    orders: {
      ...real.orders,
      isTracked: async () => false,
      charge: async (context, move) => walletAppend(context, 'WalletCharged', move),
      refund: async (context, move) => walletAppend(context, 'WalletRefunded', move),
    },
    routeBoard: { routeExists: orderExists },
    sensors: { ...real.sensors, businessesOf: async () => [], orderOf: async () => undefined },
    thirdPartyDeliveries: { orderExists },
    tracking: {
      ...real.tracking,
      businessesOf: async () => [],
      brandOf: async () => undefined,
      businessOfProvider: async () => undefined,
      orderOf: async () => undefined,
      isOwn: async () => false,
      postalCodeOf: async () => undefined,
    },
  },
  publicView: 'full',
  server: { pushed: () => {}, ingest: async () => [], state: async () => ({ store: 'memory:', nodes: [] }) },
  singleSignOn: {
    ...{ address: nobodySignsOn, identify: nobodySignsOn, endAddress: nobodySignsOn, readLogout: nobodySignsOn },
    textRecords: async () => [],
  },
  webhooks: {
    checkUrl: async () => {},
    challenge: async () => {},
    sendsMail: false,
    publicKey: (secret) => `whpk_${secret.length}`,
    test: nothingSent,
    page: async () => ({ deliveries: [], total: 0 }),
    health: async () => undefined,
    backlog: async () => ({ waiting: 0, isMore: false }),
    find: async () => undefined,
    redeliver: async () => undefined,
    retry: async () => undefined,
    replay: async () => ({ replayed: 0, left: 0 }),
    pull: async () => ({ events: [], hasMore: false }),
    queueProgress: async () => ({ waiting: 0 }),
  },
}

async function nothingPrinted(): Promise<never> {
  throw new Error('Nothing is printed in this context.')
}

async function nobodySignsOn(): Promise<never> {
  throw new Error('Nobody signs in here.')
}

async function nothingSent(): Promise<never> {
  throw new Error('Nothing is sent here.')
}

/** A wallet that never runs out, and records its payments. */
function walletAppend(context: Context, type: string, { customerId, orderId, amount, currency }: WalletMove): Append {
  const data = { customer_id: customerId, order_id: orderId, amount, currency }
  return { stream: `wallet-${customerId}`, events: [toNewEvent(context)({ type, data })], expected: 'any' }
}
