import type { Answer } from './call.ts'
import { getCapture, getCaptures, postCapture, postEvent } from './capture.ts'
import { eventsOfEpc, eventWithId, queried } from './events.ts'
import { fixed, listBizSteps, listDispositions, listEventTypes, notOffered, subResources, valuesOf } from './lists.ts'
import { deleteQuery, eventsOfQuery, getQueries, getQuery, postQuery } from './queries.ts'
import { deleteSubscription, getSubscription, getSubscriptions, postSubscription } from './subscriptions.ts'

/** A method of a resource. */
interface Method {
  readonly answer: Answer
  /** Why it is not offered. */
  readonly reason?: string
}

/** A resource of the interface, with the methods of the standard. */
export interface Resource {
  /** As in the standard, below `/epcis`. */
  readonly path: string
  readonly methods: Readonly<Record<string, Method>>
  /** Whether it answers without credentials. */
  readonly isPublic?: true
  /** Whether accounts can read it, and see what they may see. */
  readonly isForAccounts?: true
  /** Whether documents or events can be sent to it. */
  readonly captures?: true
  /** Whether it has live responses. */
  readonly streams?: true
}

const works = (answer: Answer): Method => ({ answer })

function missing(reason: string): Method {
  return { answer: notOffered(reason), reason }
}

const noTokens = missing('a token of a page holds nothing on the server that could be invalidated')

/** A kind of thing, its list, and the parameter of a query for one of them. */
function listed(path: string, member: string, list: Answer, parameter: string): readonly Resource[] {
  return [
    { path, methods: { GET: works(list) } },
    { path: `${path}/{${member}}`, methods: { GET: works(subResources) } },
    { path: `${path}/{${member}}/events`, methods: { GET: works(queried(parameter, member)) }, isForAccounts: true },
  ]
}

const topLevel = [
  ...['events', 'eventTypes', 'epcs', 'bizSteps', 'bizLocations', 'readPoints', 'dispositions', 'capture', 'queries'],
]

/** THE LIST of resources (EPCIS 2.0, REST bindings). */
export const resources: readonly Resource[] = [
  { path: '/', methods: { GET: works(fixed(topLevel)) } },
  { path: '/capture', methods: { POST: works(postCapture), GET: works(getCaptures) }, captures: true },
  { path: '/capture/{captureID}', methods: { GET: works(getCapture) } },
  { path: '/events', methods: { GET: works(queried()), POST: works(postEvent) }, captures: true, isForAccounts: true },
  { path: '/events/{eventID}', methods: { GET: works(eventWithId) }, isForAccounts: true },
  ...listed('/eventTypes', 'eventType', listEventTypes, 'eventType'),
  { path: '/epcs', methods: { GET: works(valuesOf('MATCH_anyEPC')) } },
  { path: '/epcs/{epc}', methods: { GET: works(subResources) } },
  { path: '/epcs/{epc}/events', methods: { GET: works(eventsOfEpc) }, isPublic: true },
  ...listed('/bizSteps', 'bizStep', listBizSteps, 'EQ_bizStep'),
  ...listed('/bizLocations', 'bizLocation', valuesOf('EQ_bizLocation'), 'EQ_bizLocation'),
  ...listed('/readPoints', 'readPoint', valuesOf('EQ_readPoint'), 'EQ_readPoint'),
  ...listed('/dispositions', 'disposition', listDispositions, 'EQ_disposition'),
  { path: '/queries', methods: { GET: works(getQueries), POST: works(postQuery) } },
  { path: '/queries/{queryName}', methods: { GET: works(getQuery), DELETE: works(deleteQuery) } },
  { path: '/queries/{queryName}/events', methods: { GET: works(eventsOfQuery) }, streams: true },
  {
    path: '/queries/{queryName}/subscriptions',
    methods: { GET: works(getSubscriptions), POST: works(postSubscription) },
  },
  {
    path: '/queries/{queryName}/subscriptions/{subscriptionID}',
    methods: { GET: works(getSubscription), DELETE: works(deleteSubscription) },
  },
  { path: '/nextPageToken/{token}', methods: { DELETE: noTokens } },
]
