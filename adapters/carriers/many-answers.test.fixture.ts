import { parentPort, workerData } from 'node:worker_threads'
import type { Carrier, Shipment } from '../../engine/index.ts'
import { createOutbound } from '../webhooks/index.ts'
import { createCarrierHttp, createCarriers, karrio } from './index.ts'

/** What a worker asks: the server of a carrier for rates, so often at once. */
export interface ManyQuestions {
  readonly server_url: string
  readonly shipment: Shipment
  readonly count: number
}

const { server_url, shipment, count }: ManyQuestions = workerData
const outbound = createOutbound(['127.0.0.0/8'], Date.now)
const carrier = karrio(createCarrierHttp(outbound, 'otep-engine/test')) as Carrier
const { ask } = createCarriers([], Date.now)
const asking = { credentials: { server_url, token: 'k' }, currency: 'CAD', deadline: 60_000 }
const outcomes = await Promise.all(
  Array.from({ length: count }, (_, place) => ask(carrier, 'rate', shipment, { ...asking, business: place % 2 })),
)
await outbound.close()
parentPort?.postMessage(outcomes)
