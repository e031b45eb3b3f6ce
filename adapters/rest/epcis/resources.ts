import { bizSteps } from '../../../projections/epcis/codes.ts'
import { eventTypes } from '../../../projections/epcis/parse/shapes.ts'
import { wordsOf } from '../../../projections/epcis/parse/words.ts'
import type { Audience } from '../standard-caller.ts'
import { type Answer, type EpcisCall, pagingParameters } from './call.ts'
import { getCapture, getCaptures, postCapture, postEvent } from './capture.ts'
import { eventsOfEpc, eventWithId, queried } from './events.ts'
import {
  fixed,
  listBizSteps,
  listDispositions,
  listEventTypes,
  ofWord,
  releaseToken,
  subResources,
  valuesOf,
} from './lists.ts'
import { deleteQuery, eventsOfQuery, getQueries, getQuery, postQuery } from './queries.ts'
import {
  deleteSubscription,
  describeSubscription,
  getSubscription,
  getSubscriptions,
  postSubscription,
} from './subscriptions.ts'

/** A method of a resource. */
interface Method {
  readonly answer: Answer
  readonly audience: Audience
  /** The names that its query may have; `query` if the answer checks them. */
  readonly parameters: readonly string[] | 'query'
}

/** A resource of the interface, with the methods of the standard. */
export interface Resource {
  /** As in the standard, below `/epcis`. */
  readonly path: string
  readonly methods: Readonly<Record<string, Method>>
  /** Whether documents or events can be sent to it. */
  readonly captures?: true
  /** What its headers say to a caller who asks with OPTIONS. */
  readonly describe?: (call: EpcisCall) => Promise<Readonly<Record<string, string>>>
  /** Whether it has live responses. */
  readonly streams?: true
}

function works(answer: Answer, audience: Audience = 'providers', parameters: Method['parameters'] = []): Method {
  return { answer, audience, parameters }
}

const forAccounts = (answer: Answer, parameters?: Method['parameters']) => works(answer, 'accounts', parameters)

/** What answers with a list, in pages. */
const list = (answer: Answer, audience: Audience = 'accounts') => works(answer, audience, [...pagingParameters])

/** A kind of thing, its list, and the parameter of a query for one of them. */
function listed(
  path: string,
  member: string,
  values: Answer,
  parameter: string,
  words?: readonly string[],
): readonly Resource[] {
  const events = queried(parameter, member)
  return [
    { path, methods: { GET: list(values) } },
    { path: `${path}/{${member}}`, methods: { GET: list(ofWord(subResources, member, words)) } },
    { path: `${path}/{${member}}/events`, methods: { GET: forAccounts(ofWord(events, member, words), 'query') } },
  ]
}

const topLevel = [
  ...['events', 'eventTypes', 'epcs', 'bizSteps', 'bizLocations', 'readPoints', 'dispositions', 'capture', 'queries'],
]

/** THE LIST of resources (EPCIS 2.0, REST bindings). */
export const resources: readonly Resource[] = [
  { path: '/', methods: { GET: list(fixed(topLevel)) } },
  { path: '/capture', methods: { POST: works(postCapture), GET: list(getCaptures, 'providers') }, captures: true },
  { path: '/capture/{captureID}', methods: { GET: works(getCapture) } },
  { path: '/events', methods: { GET: forAccounts(queried(), 'query'), POST: works(postEvent) }, captures: true },
  { path: '/events/{eventID}', methods: { GET: forAccounts(eventWithId) } },
  ...listed('/eventTypes', 'eventType', listEventTypes, 'eventType', eventTypes),
  { path: '/epcs', methods: { GET: list(valuesOf('MATCH_anyEPC')) } },
  { path: '/epcs/{epc}', methods: { GET: list(subResources) } },
  { path: '/epcs/{epc}/events', methods: { GET: works(eventsOfEpc, 'everybody', 'query') } },
  ...listed('/bizSteps', 'bizStep', listBizSteps, 'EQ_bizStep', bizSteps),
  ...listed('/bizLocations', 'bizLocation', valuesOf('EQ_bizLocation'), 'EQ_bizLocation'),
  ...listed('/readPoints', 'readPoint', valuesOf('EQ_readPoint'), 'EQ_readPoint'),
  ...listed('/dispositions', 'disposition', listDispositions, 'EQ_disposition', wordsOf('disposition')),
  { path: '/queries', methods: { GET: list(getQueries), POST: forAccounts(postQuery) } },
  { path: '/queries/{queryName}', methods: { GET: forAccounts(getQuery), DELETE: forAccounts(deleteQuery) } },
  { path: '/queries/{queryName}/events', methods: { GET: forAccounts(eventsOfQuery, 'query') }, streams: true },
  {
    path: '/queries/{queryName}/subscriptions',
    methods: { GET: list(getSubscriptions), POST: forAccounts(postSubscription) },
  },
  {
    path: '/queries/{queryName}/subscriptions/{subscriptionID}',
    methods: { GET: forAccounts(getSubscription), DELETE: forAccounts(deleteSubscription) },
    describe: describeSubscription,
  },
  { path: '/nextPageToken/{token}', methods: { DELETE: forAccounts(releaseToken) } },
]
