import type { Judged } from '../judge.ts'
import { eventRules, type Reported } from './events.ts'
import { isInstant, isJsonObject, type Json, type JsonObject, objectsOf } from './read.ts'

/** What the schema of the message leaves open. */
export function messageRules(document: JsonObject, judged: Judged): readonly string[] {
  const header = objectsOf(document.exchangedDocument)[0] ?? {}
  const consignments = objectsOf(document.specifiedConsignment)
  const statuses = consignments.flatMap(({ reportedLogisticsStatus }) => objectsOf(reportedLogisticsStatus))
  return [
    ...(consignments.length === 1 ? [] : ['A timeline is of one consignment.']),
    ...headerRules(header, judged),
    ...eventRules(statuses.map(reportedOf), judged),
    ...statuses.flatMap(agencyRules),
    ...walk(document, ''),
  ]
}

function reportedOf(status: JsonObject, at: number): Reported {
  return {
    path: `reportedLogisticsStatus[${at}]`,
    id: status['x-eventId'],
    code: contentOf(status.conditionCode),
    reason: contentOf(status.reasonCode),
    occurred: status.referenceDateTime,
    recorded: status['x-recordedDateTime'],
    status: status['x-statusCode'],
  }
}

function headerRules(
  { id, typeCode, issueDateTime, purposeCode }: JsonObject,
  { timeline }: Judged,
): readonly string[] {
  const faults: string[] = []
  const withdrawn = timeline.withdrawn_events ?? []
  if (!contentOf(id)) faults.push('The report has no identifier.')
  if (contentOf(typeCode) !== '44') faults.push(`The document is no report (44), but ${contentOf(typeCode)}.`)
  const known = [...timeline.events, ...withdrawn].map(({ recorded_at }) => Date.parse(recorded_at))
  const issued = isInstant(issueDateTime) ? Date.parse(issueDateTime) : Number.NaN
  if (!known.every((instant) => instant <= issued))
    faults.push('The report was issued before what it reports was known.')
  const purpose = contentOf(purposeCode)
  const expected = withdrawn.length > 0 ? '5' : '9'
  if (purpose !== undefined && purpose !== expected) faults.push(`The purpose is ${expected}, not ${purpose}.`)
  return faults
}

/** Numbers of Recommendation 24 name their agency: UN/ECE is agency 6 (UNTDID 3055). */
function agencyRules(status: JsonObject, at: number): readonly string[] {
  return [...objectsOf(status.conditionCode), ...objectsOf(status.reasonCode)].flatMap(({ listAgencyId }) =>
    listAgencyId === '6' ? [] : [`reportedLogisticsStatus[${at}] has a code without its agency.`],
  )
}

function contentOf(value: Json | undefined): string | undefined {
  const content = objectsOf(value)[0]?.content
  return typeof content === 'string' ? content : undefined
}

/** Dates and coordinates, wherever they occur. */
function walk(value: Json | undefined, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: Json, at) => walk(one, `${path}[${at}]`))
  if (value === null) return [`${path} is null.`]
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...walk(member, `${path}.${name}`),
    ...memberRules(name, member, `${path}.${name}`),
  ])
}

function memberRules(name: string, value: Json | undefined, path: string): readonly string[] {
  if (name.endsWith('DateTime') && !isInstant(value)) return [`${path} is no date with a time and a zone: ${value}.`]
  if (name !== 'latitude' && name !== 'longitude') return []
  const limit = name === 'latitude' ? 90 : 180
  return Math.abs(Number(contentOf(value))) <= limit ? [] : [`${path} is out of range.`]
}
