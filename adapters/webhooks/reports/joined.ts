import { deriveId, isObject, type KeptSource, type Members } from '../../../engine/index.ts'
import { lossesName, wholeJson } from '../../../projections/epcis/whole.ts'
import type { DueDelivery } from '../../node/deliveries.ts'

/** One delivery with the results of all, in one document. Its id is theirs: the same results have the same id. */
export function joinedReport(deliveries: readonly [DueDelivery, ...DueDelivery[]]): DueDelivery {
  const [first] = deliveries
  const id = `dlv_${deriveId('report', ...deliveries.map((one) => one.id)).replaceAll('-', '')}`
  const documents = deliveries.map(({ body }) => JSON.parse(new TextDecoder().decode(body)) as Members)
  const document = documentOf(documents)
  return { ...first, id, eventId: id, body: new TextEncoder().encode(JSON.stringify(document)) }
}

function documentOf(documents: readonly Members[]): Members {
  const kept: KeptSource[] = []
  const losses: string[] = []
  let creationDate = ''
  for (const document of documents) {
    const { '@context': context, [lossesName]: lost } = document
    for (const one of [lost ?? []].flat())
      losses.push(String(one).replace(/^eventList\[(\d+)\]/, (_, index) => `eventList[${kept.length + Number(index)}]`))
    for (const body of eventsIn(document)) kept.push({ binding: 'json', version: '2.0', context, body })
    if (String(document.creationDate) > creationDate) creationDate = String(document.creationDate)
  }
  const { queryName, subscriptionID } = resultsIn(documents[0])
  const named = { queryName: String(queryName), subscriptionID: String(subscriptionID) }
  const { epcisBody, ...head } = wholeJson(kept, { as: 'query', creationDate, ...named })
  return { ...head, ...(losses.length > 0 && { [lossesName]: losses }), epcisBody }
}

function resultsIn(document: Members | undefined): Members {
  const { queryResults } = document !== undefined && isObject(document.epcisBody) ? document.epcisBody : {}
  return isObject(queryResults) ? queryResults : {}
}

function eventsIn(document: Members): readonly unknown[] {
  const { resultsBody } = resultsIn(document)
  return isObject(resultsBody) && Array.isArray(resultsBody.eventList) ? resultsBody.eventList : []
}
