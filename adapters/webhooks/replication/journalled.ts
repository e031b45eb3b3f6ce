import type { AttemptResult, DeliveryChange, DeliveryRepository, NewDelivery } from '../../node/deliveries.ts'
import type { JournalChange } from './batch.ts'
import type { DeliveryJournal } from './journal.ts'

/**
 * A repository that tells the other nodes of every change that does not follow from an event. The journal comes first: what a
 * process that ends in between has not made itself, it copies when it is there again, as all others do.
 */
export function journalled(
  repository: DeliveryRepository,
  journal: DeliveryJournal,
  clock: () => number,
): DeliveryRepository {
  return {
    ...repository,
    add: async (deliveries) => {
      const createdAt = clock()
      const dated = deliveries.map((one) => ({ createdAt, ...one }))
      await journal.write(dated.map(additionOf))
      return repository.add(dated)
    },
    record: async (attempted) => {
      await journal.write([attemptOf(attempted)])
      await repository.record(attempted)
    },
    skip: async (ids) => {
      await journal.write(ids.map((id) => ({ kind: 'skip', id })))
      await repository.skip(ids)
    },
    acknowledge: async (endpointId, through) => {
      const count = await repository.acknowledge(endpointId, through)
      if (count) await journal.write([{ kind: 'acknowledge', endpointId, through }])
      return count
    },
    retryNow: async (businessId, id, at) => {
      const isRetried = await repository.retryNow(businessId, id, at)
      if (isRetried) await journal.write([{ kind: 'retry', businessId, id, at }])
      return isRetried
    },
  }
}

/** What people may have to be forgotten from is not in the journal: a redelivery has the body of its original. */
function additionOf(delivery: NewDelivery): JournalChange {
  const { id, businessId, dueAt, createdAt = dueAt, redeliveryOf: of } = delivery
  if (of === undefined) return { kind: 'add', delivery }
  const { format, standard, isInOrder } = delivery.endpoint
  const endpoint = { format, standard, ...(isInOrder === undefined ? {} : { isInOrder }) }
  return { kind: 'redelivery', delivery: { id, businessId, dueAt, createdAt, of, endpoint } }
}

function attemptOf({ attempt, ...result }: AttemptResult): DeliveryChange {
  const { requestHeaders: _, responseHeaders: __, responseBody: ___, isResponseCut: ____, ...copied } = attempt
  return { kind: 'attempt', ...result, attempt: copied }
}
